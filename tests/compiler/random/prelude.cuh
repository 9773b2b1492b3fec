// Language of the random kernels: device builtins only, since CUDA headers take long to compile, and operations that
// are undefined in C++.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define CONST __attribute__((device, const, nothrow))
#define MEET __attribute__((device, convergent, nothrow))
extern "C" {
CONST unsigned __reprise_tid_x();
CONST unsigned __reprise_tid_y();
CONST unsigned __reprise_ntid_x();
CONST unsigned __reprise_ntid_y();
CONST unsigned __reprise_ctaid_x();
MEET int __reprise_barrier_reduce(int, int);
MEET void __reprise_warp_sync(unsigned);
MEET unsigned __reprise_shfl32(int, unsigned, unsigned, unsigned, int);
MEET unsigned __reprise_ballot(unsigned, int);
MEET unsigned __reprise_activemask();
MEET unsigned __reprise_match_any32(unsigned, unsigned);
MEET unsigned __reprise_match_all32(unsigned, unsigned, int*);
MEET unsigned __reprise_reduce32(int, unsigned, unsigned);
}
typedef unsigned word;
#define OP static inline __device__ __attribute__((always_inline)) word
OP add(word a, word b) { return a + b; }
OP sub(word a, word b) { return a - b; }
OP mul(word a, word b) { return a * b; }
OP and_(word a, word b) { return a & b; }
OP or_(word a, word b) { return a | b; }
OP xor_(word a, word b) { return a ^ b; }
OP shl(word a, word b) { return a << b; }
OP lshr(word a, word b) { return a >> b; }
OP ashr(word a, word b) { return (word)((int)a >> b); }
OP udiv(word a, word b) { return a / b; }
OP urem(word a, word b) { return a % b; }
OP sdiv(word a, word b) { return (word)((int)a / (int)b); }
OP ult(word a, word b) { return a < b; }
OP slt(word a, word b) { return (int)a < (int)b; }
OP eq(word a, word b) { return a == b; }
OP min_(word a, word b) { return a < b ? a : b; }
OP max_(word a, word b) { return (int)a > (int)b ? a : b; }
OP match_all(word mask, word value) {
  int all;
  const word lanes = __reprise_match_all32(mask, value, &all);
  return lanes + (word)all;
}

#define START                                                                                               \
  __shared__ unsigned s0[256], s1[256], n[2];                                                               \
  const unsigned threadIdx_x = __reprise_tid_x(), threadIdx_y = __reprise_tid_y();                          \
  const unsigned thread = threadIdx_y * __reprise_ntid_x() + threadIdx_x;                                   \
  const unsigned threads = __reprise_ntid_x() * __reprise_ntid_y();                                         \
  unsigned v0 = thread, v1 = thread * 2 + 1, v2 = thread * 3 + 2, v3 = thread * 4 + 3, v4 = thread * 5 + 4; \
  unsigned u0 = 0, u1 = 0, u2 = 0, a[4];                                                                    \
  for (unsigned k = 0; k < 4; ++k) a[k] = thread ^ k;                                                       \
  s0[thread] = thread;                                                                                      \
  s1[thread] = thread;                                                                                      \
  if (thread == 0) n[0] = n[1] = 0;                                                                         \
  __syncthreads();
#define FINISH                                                                          \
  do {                                                                                  \
    unsigned* mine = out + ((unsigned long)__reprise_ctaid_x() * threads + thread) * 5; \
    mine[0] = v0, mine[1] = v1, mine[2] = v2, mine[3] = v3, mine[4] = v4;               \
  } while (0)
