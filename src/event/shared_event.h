// The part of an interprocess event that processes share: a page with two counters, named by a handle that can be sent
// to another process.
//
// Thread safety: every function may be called from any thread of any process that has it open.
//
// Invariants
//  1. recorded only grows, by one for each record in any process; completed only grows and is at most recorded.
//  2. The page exists until the event that made it is destroyed and every process has closed its own.
#pragma once

#include <driver_types.h>

#include <atomic>
#include <cstdint>

#include "base/ref.h"
#include "base/status.h"
#include "base/waiting.h"

namespace reprise_runtime::event {

class SharedEvent : public Counted<SharedEvent> {
 public:
  // Returns null if the system has no shared memory left.
  static Ref<SharedEvent> create();
  static Result<Ref<SharedEvent>> open(const cudaIpcEventHandle_t& handle);
  ~SharedEvent();

  cudaIpcEventHandle_t handle() const;

  uint64_t begin_record() { return page_->recorded.fetch_add(1, std::memory_order_acq_rel) + 1; }
  uint64_t recorded() const { return page_->recorded.load(std::memory_order_acquire); }
  uint64_t completed() const { return page_->completed.load(std::memory_order_acquire); }
  void complete(uint64_t record);
  // Sleeps until the record is complete.
  void wait(uint64_t record) const;

 private:
  struct Page {
    std::atomic<uint64_t> recorded, completed;
    SharedEventCount completions;
  };
  struct Name {
    uint64_t magic;
    int64_t process;
    uint64_t number, random;
  };

  SharedEvent(Page* page, const Name& name, bool maker) : page_(page), name_(name), maker_(maker) {}

  Page* const page_;
  const Name name_;
  const bool maker_;
};

}  // namespace reprise_runtime::event
