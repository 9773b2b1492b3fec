// Why: a test that stops after a pass with a mistyped name would look at the wrong code.
// FAILS(CHECK) --stop-after=split-at-barrier
KERNEL kernel() {}
// CHECK: there is no pass split-at-barrier
