// Why: if threads ran one after the other, a loop that waits for a later thread would not end.
// RUN(CHECK) --stop-after=mark-spin-loops
// RUN(REMARK) --remarks -o /dev/null
// RUN(PLAIN) -O0 --stop-after=mark-spin-loops
KERNEL waits(volatile int* flag, int* out) {
  if (tid_x == 0) {
    while (*flag == 0) {}
    *out = 1;
  } else {
    *flag = 1;
  }
}
// CHECK: define {{.*}}@waits(
// CHECK: call void @__reprise_spin()
// REMARK: remark: waits runs as fibers

// A loop that retries with the value it has just read does not wait.
KERNEL retries(unsigned* place, unsigned value) {
  unsigned old = *place, seen;
  do {
    seen = old;
    old = __nvvm_atom_cas_gen_i((int*)place, seen, seen * 2 + value);
  } while (seen != old);
}
// CHECK: define {{.*}}@retries(
// CHECK-NOT: call void @__reprise_spin()
// REMARK-NOT: retries runs as fibers

// A warp that waits for another: its lanes vote, or one lane polls and broadcasts.
KERNEL votes(volatile int* flag) {
  while (__reprise_ballot(~0u, *flag) == 0) {}
}
// CHECK: define {{.*}}@votes(
// CHECK: call void @__reprise_spin()
KERNEL tells(int* flag) {
  int seen;
  do {
    seen = 0;
    if (tid_x % 32 == 0) seen = __nvvm_atom_add_gen_i(flag, 0);
  } while (__reprise_shfl32(0, ~0u, seen, 0, 32) == 0);
}
// CHECK: define {{.*}}@tells(
// CHECK: call void @__reprise_spin()

// Taking the next work item is not waiting.
KERNEL takes(int* next, int* out, int n) {
  for (;;) {
    int i = 0;
    if (tid_x % 32 == 0) i = __nvvm_atom_add_gen_i(next, 32);
    i = __reprise_shfl32(0, ~0u, i, 0, 32);
    if (i >= n) break;
    out[i + tid_x % 32] = i;
  }
}
// CHECK: define {{.*}}@takes(
// CHECK-NOT: call void @__reprise_spin()

// The same if a function that is not inlined polls.
__attribute__((device, noinline)) int look(volatile int* flag) { return *flag; }
KERNEL calls(volatile int* flag) {
  while (look(flag) == 0) {}
}
// CHECK: define {{.*}}@calls(
// CHECK: call void @__reprise_spin()
// REMARK: remark: calls runs as fibers
// PLAIN: define {{.*}}@calls(
// PLAIN: call void @__reprise_spin()

// Blocks that wait for the previous block, as in a look-back scan, run in order; fibers would be slow.
KERNEL looks_back(volatile int* done, int block) {
  while (done[block - 1] == 0) {}
}
// REMARK-NOT: looks_back runs as fibers
KERNEL tries_anew(int* place) {
  int old;
  do old = *place;
  while (__nvvm_atom_cas_gen_i(place, old, old + 1) != old);
}
// REMARK-NOT: tries_anew runs as fibers

// The same if the iterations are recursive calls.
__attribute__((device)) void look_again(volatile int* flag, int* count) {
  if (*flag) return;
  *count += 1;
  look_again(flag, count);
}
KERNEL recurs(volatile int* flag, int* count) { look_again(flag, count); }
// REMARK: remark: recurs runs as fibers

struct Gate {
  volatile int* flag;
  __attribute__((device)) int pass(int turns) { return *flag ? turns : wait(turns + 1); }
  __attribute__((device)) int wait(int turns) { return pass(turns); }
};
KERNEL takes_turns(Gate* gate, int* out) { *out = gate->pass(0); }
// REMARK: remark: takes_turns runs as fibers

// Following a list, counting, and retrying with the value just read are not waiting.
struct Item {
  volatile int value;
  Item* next;
};
__attribute__((device)) int sum_of(Item* item) { return item->value == 0 ? 0 : item->value + sum_of(item->next); }
KERNEL sums(Item* item, int* out) { *out = sum_of(item); }
__attribute__((device)) void visit(int* visited, int depth) {
  if (__nvvm_atom_add_gen_i(visited, 1) > 1000 || depth == 0) return;
  visit(visited, depth - 1);
  visit(visited, depth - 1);
}
KERNEL visits(int* visited) { visit(visited, 4); }
__attribute__((device)) void swap_in(int* place, int old) {
  const int seen = __nvvm_atom_cas_gen_i(place, old, old + 1);
  if (seen != old) swap_in(place, seen);
}
KERNEL swaps(int* place) { swap_in(place, 0); }
// REMARK-NOT: sums runs as fibers
// REMARK-NOT: visits runs as fibers
// REMARK-NOT: swaps runs as fibers

// A variable of the thread is written by no other thread, volatile or not.
KERNEL counts_in_volatile(float* out, int n) {
  volatile int count = 0;
  float x = tid_x;
  while (count < n) {
    x = x * 0.5f + 1;
    count = count + 1;
  }
  out[tid_x] = x;
}
// REMARK-NOT: counts_in_volatile runs as fibers

// A search for a free slot moves on if the slot is taken.
KERNEL probes(int* table, const int* keys, unsigned mask, int n) {
  const int i = ctaid_x * ntid_x + tid_x;
  if (i >= n) return;
  const int key = keys[i];
  for (unsigned slot = key & mask;; slot = (slot + 1) & mask) {
    const int old = __nvvm_atom_cas_gen_i(&table[slot], -1, key);
    if (old == -1 || old == key) return;
  }
}
// REMARK-NOT: probes runs as fibers
KERNEL probes_until_found(int* table, const int* keys, unsigned* slots, unsigned mask) {
  const int key = keys[tid_x];
  unsigned slot = key & mask;
  while (true) {
    const int old = __nvvm_atom_cas_gen_i(&table[slot], -1, key);
    if (old == -1 || old == key) break;
    slot = (slot + 1) & mask;
  }
  slots[tid_x] = slot;
}
// REMARK-NOT: probes_until_found runs as fibers

// A thread that takes one lock after the other waits for each of them.
KERNEL takes_locks(int* locks, int* out, int n) {
  int i = 0;
  while (i < n) {
    if (__nvvm_atom_cas_gen_i(&locks[i], 0, 1) != 0) continue;
    out[i] += tid_x;
    __nvvm_membar_gl();
    __nvvm_atom_xchg_gen_i(&locks[i], 0);
    ++i;
  }
}
// REMARK: remark: takes_locks runs as fibers

// A block that computes anew what it polls waits for another block: others may run meanwhile, but no fibers are needed.
KERNEL polls(volatile int* arrived, int* out) {
  while (arrived[(ctaid_x + 1) % nctaid_x] == 0) {}
  out[tid_x] = 1;
}
// CHECK: define {{.*}}@polls(
// CHECK-NOT: call void @__reprise_spin()
// CHECK: call void @__reprise_let_others_run(ptr %launch)
// REMARK-NOT: polls runs as fibers
