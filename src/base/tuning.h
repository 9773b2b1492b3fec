// Every constant of the runtime that trades one cost for another, with the measurement behind it. Limits that CUDA or a
// data format sets are not here.
//
// Most of them follow from what waiting costs on the machine. bench_waiting prints that; on a virtual machine with two
// cores of an AMD EPYC (family 25, model 17) that other programs used too, best and median of its samples:
//
//   [pause]      a pause instruction                                   24 ns
//   [tick]       a read of the time stamp counter                     9.5 ns
//   [locked]     a locked instruction on a line that the core owns    1.7 to 2 ns (8 ns on an Intel Sapphire Rapids)
//   [hand-over]  a store on one core until another has read it        250, 270 ns
//   [yield]      sched_yield with no other thread                     530 ns
//   [wake call]  waking a sleeping thread, the caller's part          1.7, 2.8 us
//   [wake-up]    waking a sleeping thread, until it runs              3.4, 5.2 us; on busy machines 13 us and more
//   [start]      a new thread, until it runs                          9, 10 us
//
// bench_launch and bench_replay measure the effect on whole programs; bench/RESULTS.md has their tables.
// A constant without a figure of its own was chosen from these.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reprise_runtime::tuning {

// ---- the machine --------------------------------------------------------------------------------------------------

// Distance at which two words do not share a cache line or a pair of lines, which processors fetch together.
inline constexpr size_t separate_bytes = 128;
// Latency until one core sees another core's store, as schedules assume it; of the order of [hand-over].
inline constexpr double hand_over_ns = 150;
// Time until a sleeping thread runs, as decisions assume it: [wake-up], with the core's own waking from an idle state.
// Work shorter than twice this is not worth a wake-up.
inline constexpr double wake_up_ns = 40'000;

// ---- locks --------------------------------------------------------------------------------------------------------

// Looks of Mutex before it sleeps: 1 us of [pause], longer than any holder that is on a core and shorter than a
// [wake-up].
inline constexpr int mutex_looks = 40;
// Looks of a spin lock before it yields the core: 2.4 us of [pause]. Its critical sections take tens of nanoseconds, so
// by then the holder has lost its core.
inline constexpr int spin_lock_looks = 100;
// Looks for a team's last members, or at a grid's barrier, before the thread sleeps: 24 us of [pause], several parts of
// shared work (part_ns) and several times a [wake-up].
inline constexpr int looks_for_members = 1000, looks_at_grid_barrier = 1000;

// ---- threads that wait for work (exec::wait) ----------------------------------------------------------------------

// Spinning before the thread sleeps: after it a [wake-up] adds about 5%.
inline constexpr double wait_spin_ns = 100'000;
// A sleeping thread looks again this often, since a lane may have been released with work left.
inline constexpr int64_t wait_nap_ns = 1'000'000;
// A thread that waits this soon, after at most this many tasks, runs them itself: two to four times [hand-over] for
// giving them to a worker and back would be more than the 115 to 138 ns of launch and synchronize (bench_launch).
inline constexpr uint64_t few_tasks = 2;
inline constexpr double waits_at_once_ns = 5'000;
// Work shorter than this ends before a worker has taken it over: joining_ns and several times [hand-over] for its data.
inline constexpr double self_service_ns = 2'000;
// A thread that is busy this long with its own lane wakes the dozing worker for other lanes: twice the [wake call].
inline constexpr double nudge_after_ns = 4'000;

// ---- workers ------------------------------------------------------------------------------------------------------

// A worker without work spins this long. A launch within it finds the worker spinning and saves the [wake call].
inline constexpr double worker_spin_ns = 20'000;
// Then one worker dozes: it looks every 50 us for 1 ms, every 300 us until 10 ms have passed, and sleeps. A process
// whose work is done uses 0.00% of a core (bench_launch).
inline constexpr double doze_often_ns = 1'000'000, doze_until_ns = 10'000'000;
inline constexpr int64_t doze_short_ns = 50'000, doze_long_ns = 300'000;
// Time without progress of the ready queue before one more worker runs than there are cores: a hundred times [start].
inline constexpr double overdue_ns = 1'000'000;
// Workers beyond the usual number end after sleeping this long; the next use costs a [start].
inline constexpr int64_t retire_ns = 5'000'000'000;
// A worker keeps a lane that has run empty for this many looks, this many pauses apart: 8 us of [pause], in which a
// loop of launches (63 ns each, bench_launch) brings the next one. In the pauses the submitter has its cache line.
inline constexpr int linger_looks = 20, linger_pauses = 16;
// A worker that has helped a team stands by this long for the next piece of work. With it and
// the first steps taken before others join, fork-join graphs of 8 nodes of 1 us gain 1.46x by a second core, where they
// gained 1.3x (bench_replay).
inline constexpr double standby_ns = 5'000;
// Tasks of one lane before another lane of the same level runs.
inline constexpr uint64_t tasks_per_slice = 64;
// Stops runaway growth; beyond the number of streams that block at once in any program.
inline constexpr int most_workers = 4096;
// When the process exits, running tasks get this long to end; the exiting thread looks this often.
inline constexpr uint64_t stop_limit_ns = 200'000'000;
inline constexpr int64_t stop_poll_ns = 100'000;

// ---- work shared by several threads (exec::spread) ----------------------------------------------------------------

// Work shorter than this ends before a spinning worker has its first part. A grid of two blocks of 5 us gains 1.56x
// (bench_launch).
inline constexpr double worth_sharing_ns = 4'000;
// Length of a part: fifteen times the [hand-over] that taking one costs. 16 blocks of 5 us gain 1.91x, 128 blocks 1.97x
// (bench_launch).
inline constexpr double part_ns = 4'000;
// A leader that waits 300 us for its last member has met a time slice of another program (1 to 4 ms), not a part. For
// the next 20 ms work below 3 ms is not shared: losing a core for a time slice costs more than a second core gains.
inline constexpr double stall_ns = 300'000, contention_memory_ns = 20'000'000, contended_sharing_ns = 3'000'000;

// ---- replays of graphs --------------------------------------------------------------------------------------------

// Plans shorter than this are replayed by one thread: joining_ns and several times [hand-over] are not regained.
inline constexpr double replay_worth_sharing_ns = 3'000;
// From opening a team until the first worker has joined: two times [hand-over].
inline constexpr double joining_ns = 400;
// A replay that begins this soon after the last one finds its workers awake.
inline constexpr double frequent_replay_ns = worker_spin_ns;
// A look at another thread's list costs its owner a [hand-over]. A thread that waits for a step of its own list, or has
// done all of it, looks at other lists only after this time: with nodes of 1 us most waits end sooner (bench_replay).
inline constexpr double own_list_ns = 1'200, end_of_replay_ns = 500;
// Spinning of a thread without a ready step before it sleeps, and looks at one step between two looks at all lists.
inline constexpr double replay_spin_ns = 20'000;
inline constexpr int replay_looks = 16;
// Naps of that thread, each twice as long as the last. A notification may be lost, because preventing that would cost
// every step a [locked] instruction, as much as a whole node (2.1 ns, bench_replay); a lost one costs a nap.
inline constexpr int64_t shortest_nap_ns = 200'000, longest_nap_ns = 10'000'000;
// Work that a thread takes at once from its own list and from another's. With it two chains of nodes of 1 us gain 1.95x
// and layers 1.92x (bench_replay). It takes less from another's list, so that both end at the same time.
inline constexpr float own_batch_least_ns = 4'000, own_batch_most_ns = 16'000, stolen_batch_most_ns = 4'000;

// When parallel replays are tried and given up (ReplayPolicy). The first replay meets cold caches, and any may be
// interrupted.
inline constexpr int replays_measured = 3, replays_timed_to_decide = 2;
// Every so many replays one is timed, to notice that run times have changed.
inline constexpr uint64_t recheck_interval = 1024;
// A trial of parallel replays takes at least this many replays and this long, since workers have to wake up first...
inline constexpr int trial_replays = 32;
inline constexpr double trial_ns = 1'000'000;
// ... unless it loses this much, or twice the sequential time.
inline constexpr double max_trial_loss_ns = 200'000;
// After a loss (other processes keep the cores busy, say) replays are sequential for this many times the time lost, so
// that the share of time lost is about 1 / caution. It doubles after each loss, and halves for every `trust_ns` gained
// without a loss.
inline constexpr double min_caution = 4, max_caution = 64;
inline constexpr double trust_ns = 10'000'000;
// Gains are credited against losses up to this much: one lost time slice (1 to 4 ms) changes nothing after a long gain.
inline constexpr double max_credit_ns = 5'000'000;
// The run time of a kernel is learnt in its first runs and seldom changes later.
inline constexpr uint64_t learning_replays = 1024;

// ---- copies and sets ----------------------------------------------------------------------------------------------

// Copies and sets up to this size are done by the calling thread if the stream is idle: about 2 us, while waking a
// sleeping worker takes ten times as long.
inline constexpr size_t largest_copy_at_once = 64 * 1024;
// The cost of a separate row, in bytes of a contiguous copy.
inline constexpr size_t row_cost = 256;
// Several cores share larger work. Smaller work fits one core's cache, from which another core would have to fetch it:
// with two cores 4 MiB gain 1.8x (bench_memory).
inline constexpr size_t spread_threshold = size_t{2} << 20;
// The smallest piece. Whole pages, so that no two cores write to the same page.
inline constexpr size_t piece_bytes = size_t{64} << 10;
// Approximate time per byte of uncached memory; only the order of magnitude matters.
inline constexpr double ns_per_byte = 0.1;

}  // namespace reprise_runtime::tuning
