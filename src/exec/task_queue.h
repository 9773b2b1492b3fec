// The task queue of a lane: records of different sizes, back to back in recycled chunks.
//
// Thread safety: one producer at a time (under the lane's submit mutex) beside one consumer at a time (the lane's
// runner). The lane's count of published tasks carries each record from the producer to the consumer, so the consumer
// calls front() only when it knows that there is one more.
//
// Invariants
//  1. A chunk's `end` is set before any record in the next chunk is published.
//  2. A chunk belongs to the producer from its first record on, and is recycled when the consumer has left it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace reprise_runtime::exec {

class Lane;

enum class Outcome {
  done,     // the record has been destroyed, the lane goes on
  blocked,  // the lane waits for something and has been given up; the record will be run again
};

class TaskQueue {
 public:
  static constexpr size_t alignment = 16;
  static constexpr size_t largest_task = 4096;

  struct alignas(alignment) Record {
    Outcome (*run)(Record& record, Lane& lane);
    uint32_t size;
  };

  TaskQueue();
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  // Producer. The task is made in place, run as task(lane), which may return an Outcome, and destroyed when it is done.
  template <class Task, class... Arguments>
  void emplace(Arguments&&... arguments) {
    using Stored = TaskRecord<Task>;
    static_assert(sizeof(Stored) <= largest_task, "keep what is large on the heap");
    static_assert(alignof(Stored) <= alignment);
    ::new (reserve(sizeof(Stored))) Stored(std::forward<Arguments>(arguments)...);
  }

  // Consumer: the oldest record, and leaving it once it is done.
  Record& front() {
    if (head_offset_ == head_->end.load(std::memory_order_relaxed)) leave_chunk();
    return *reinterpret_cast<Record*>(head_->bytes + head_offset_);
  }
  void pop(uint32_t size) { head_offset_ += size; }

 private:
  static constexpr size_t chunk_bytes = 16 * 1024;

  struct Chunk {
    std::atomic<size_t> end;
    Chunk* next;
    alignas(64) char bytes[chunk_bytes - 64];
  };
  static_assert(sizeof(Chunk) == chunk_bytes);

  template <class Task>
  struct TaskRecord : Record {
    template <class... Arguments>
    explicit TaskRecord(Arguments&&... arguments)
        : Record{&run_task, sizeof(TaskRecord)}, task{std::forward<Arguments>(arguments)...} {}

    static Outcome run_task(Record& record, Lane& lane) {
      TaskRecord& self = static_cast<TaskRecord&>(record);
      if constexpr (std::is_same_v<std::invoke_result_t<Task&, Lane&>, Outcome>) {
        if (self.task(lane) == Outcome::blocked) return Outcome::blocked;
      } else {
        self.task(lane);
      }
      self.~TaskRecord();
      return Outcome::done;
    }

    Task task;
  };

  void* reserve(size_t size) {
    if (tail_offset_ + size > sizeof(Chunk::bytes)) [[unlikely]]
      add_chunk();
    void* place = tail_->bytes + tail_offset_;
    tail_offset_ += size;
    return place;
  }

  void add_chunk();
  void leave_chunk();
  static Chunk* take_chunk();

  // The producer's.
  Chunk* tail_;
  size_t tail_offset_ = 0;
  // The consumer's.
  alignas(64) Chunk* head_;
  size_t head_offset_ = 0;
  // A chunk that the consumer has left, on its way to the producer.
  std::atomic<Chunk*> spare_{nullptr};
};

}  // namespace reprise_runtime::exec
