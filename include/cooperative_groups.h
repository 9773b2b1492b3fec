// Cooperative groups: sets of threads that synchronize and exchange values, from parts of a warp to the whole grid.
#pragma once

#include <cuda_runtime.h>

#ifdef __CUDA__
#include <reprise_cuda/cooperative_groups/block.h>
#include <reprise_cuda/cooperative_groups/words.h>
#include <reprise_cuda/cooperative_groups/warp_tile.h>
#include <reprise_cuda/cooperative_groups/wide_tile.h>
#include <reprise_cuda/cooperative_groups/tile.h>
#include <reprise_cuda/cooperative_groups/coalesced.h>
#include <reprise_cuda/cooperative_groups/grid.h>
#include <reprise_cuda/cooperative_groups/cluster.h>
#include <reprise_cuda/cooperative_groups/thread_group.h>
#include <reprise_cuda/cooperative_groups/partition.h>
#include <reprise_cuda/cooperative_groups/invoke.h>
#endif
