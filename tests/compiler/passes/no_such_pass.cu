// Why: with a mistyped pass name a test would check the wrong code.
// FAILS(CHECK) --stop-after=split-at-barrier
KERNEL kernel() {}
// CHECK: there is no pass split-at-barrier; the passes are: read-kernels {{.*}} split-at-barriers {{.*}} optimise
