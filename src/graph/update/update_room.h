// What an update of an executable graph, or of a child graph of it, works with: kept from one update to the next, so
// that later ones need not allocate it.
//
// Thread safety: belongs to the executable graph, whose mutex guards it.
#pragma once

#include "graph/update/change_list.h"
#include "graph/update/former_kernels.h"
#include "graph/update/update_pairing.h"

namespace reprise_runtime::graph {

struct UpdateRoom {
  struct Change {
    ExecIndex* index;
    Node* node;
    uint32_t entry;
    bool arguments = false;  // they alone were staged
    bool kernel = false;     // it was staged
  };

  struct Inside {
    Graph* graph;
    ExecIndex* index;
  };

  struct Objects {
    ExecIndex* index;
    HeldObjects held;
  };

  // Empty between updates.
  FormerKernels former;          // kernels that were changed on the way
  std::vector<Change> later;     // what is changed when everything is known to be possible
  std::vector<Inside> locked;    // the graphs inside that were come upon
  std::vector<Objects> objects;  // that the nodes keep from now on
  PairingRoom pairing;

  ChangeList::Size put_off = {};  // how much the last update had to put off: so will the next
};

}  // namespace reprise_runtime::graph
