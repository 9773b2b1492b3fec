// Which freed memory of a pool an allocation reuses, and when.
#include "pool/pool_support.h"

TEST_F(PoolMemory, IsUsedAgainInTheSameStream) {
  Stream stream;
  Gate gate;
  Pool pool;
  char* first = take(pool, 1 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(first, stream));
  char* second = take(pool, 1 * MiB, stream);
  ASK_VALUE(true, second == first);
  MUST(cudaFreeAsync(second, stream));
  char* smaller = take(pool, 1000, stream);
  ASK_VALUE(true, smaller == first);
  char* beside = take(pool, 1000, stream);
  FACT("distance of two small ones", static_cast<long long>(beside - smaller));
  MUST(cudaFreeAsync(smaller, stream));
  MUST(cudaFreeAsync(beside, stream));
  char* joined = take(pool, 1 * MiB, stream);
  ASK_VALUE(true, joined == first);
  MUST(cudaFreeAsync(joined, stream));
  gate.open();
}

TEST_F(PoolMemory, OfAnotherStreamIsNotUsedWhileThatMayUseIt) {
  Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Gate gate;
  Pool pool;
  pool.keep_all();
  pool.set(cudaMemPoolReuseAllowInternalDependencies, 0);
  char* first = take(pool, 64 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(first, stream));
  char* second = take(pool, 64 * MiB, other);
  ASK_VALUE(false, second == first);
  gate.open();
  MUST(cudaStreamSynchronize(stream));
  char* third = take(pool, 64 * MiB, other);
  ASK_FACT("completed free is used by the other stream", true, third == first);
  MUST(cudaFreeAsync(second, other));
  MUST(cudaFreeAsync(third, other));
  MUST(cudaDeviceSynchronize());
}

TEST_F(PoolMemory, OfAnotherStreamIsUsedAfterAnEvent) {
  Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Event event(cudaEventDisableTiming);
  Gate gate;
  Pool pool;
  pool.keep_all();
  pool.set(cudaMemPoolReuseAllowInternalDependencies, 0);
  pool.set(cudaMemPoolReuseAllowOpportunistic, 0);
  char* first = take(pool, 64 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(first, stream));
  MUST(cudaEventRecord(event, stream));
  MUST(cudaStreamWaitEvent(other, event));
  char* second = take(pool, 64 * MiB, other);
  ASK_FACT("memory behind an event", true, second == first);
  gate.open();
  MUST(cudaFreeAsync(second, other));
  MUST(cudaDeviceSynchronize());
}

TEST_F(PoolMemory, OfAnotherStreamIsNotUsedAfterAnEarlierEvent) {
  Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Event event(cudaEventDisableTiming);
  Gate gate;
  Pool pool;
  pool.keep_all();
  pool.set(cudaMemPoolReuseAllowInternalDependencies, 0);
  pool.set(cudaMemPoolReuseAllowOpportunistic, 0);
  char* first = take(pool, 64 * MiB, stream);
  gate.close(stream);
  MUST(cudaEventRecord(event, stream));
  nothing<<<1, 1, 0, stream>>>();
  MUST(cudaFreeAsync(first, stream));
  MUST(cudaStreamWaitEvent(other, event));
  char* second = take(pool, 64 * MiB, other);
  ASK_VALUE(false, second == first);
  gate.open();
  MUST(cudaFreeAsync(second, other));
  MUST(cudaDeviceSynchronize());
}

TEST_F(PoolMemory, OfAnotherStreamIsUsedAfterAChainOfEvents) {
  Stream stream(cudaStreamNonBlocking), middle(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Event event(cudaEventDisableTiming), second_event(cudaEventDisableTiming);
  Gate gate;
  Pool pool;
  pool.keep_all();
  pool.set(cudaMemPoolReuseAllowInternalDependencies, 0);
  pool.set(cudaMemPoolReuseAllowOpportunistic, 0);
  char* first = take(pool, 64 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(first, stream));
  MUST(cudaEventRecord(event, stream));
  MUST(cudaStreamWaitEvent(middle, event));
  MUST(cudaEventRecord(second_event, middle));
  MUST(cudaStreamWaitEvent(other, second_event));
  char* second = take(pool, 64 * MiB, other);
  ASK_FACT("memory behind two events", true, second == first);
  gate.open();
  MUST(cudaFreeAsync(second, other));
  MUST(cudaDeviceSynchronize());
}

TEST_F(PoolMemory, EventsAreNotFollowedWhenSwitchedOff) {
  Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Event event(cudaEventDisableTiming);
  Gate gate;
  Pool pool;
  pool.keep_all();
  for (cudaMemPoolAttr attribute : {cudaMemPoolReuseAllowInternalDependencies, cudaMemPoolReuseAllowOpportunistic,
                                    cudaMemPoolReuseFollowEventDependencies}) {
    pool.set(attribute, 0);
  }
  char* first = take(pool, 64 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(first, stream));
  MUST(cudaEventRecord(event, stream));
  MUST(cudaStreamWaitEvent(other, event));
  char* second = take(pool, 64 * MiB, other);
  ASK_VALUE(false, second == first);
  gate.open();
  MUST(cudaFreeAsync(second, other));
  MUST(cudaDeviceSynchronize());
  char* third = take(pool, 64 * MiB, stream);
  FACT("no policy at all, all done: own memory is used", third == first);
  FACT("no policy at all, all done: the other's is used", third == second);
  MUST(cudaFreeAsync(third, stream));
  MUST(cudaDeviceSynchronize());
}

TEST_F(PoolMemory, TheLegacyStreamOrdersToo) {
  Stream stream, other;
  Gate gate;
  Pool pool;
  pool.keep_all();
  pool.set(cudaMemPoolReuseAllowInternalDependencies, 0);
  pool.set(cudaMemPoolReuseAllowOpportunistic, 0);
  char* first = take(pool, 64 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(first, stream));
  nothing<<<1, 1>>>();
  char* second = take(pool, 64 * MiB, other);
  ASK_FACT("memory behind the legacy stream", true, second == first);
  char* third = take(pool, 32 * MiB, nullptr);
  FACT("third is inside the first", third >= first && third < first + 64 * MiB);
  gate.open();
  MUST(cudaFreeAsync(second, other));
  MUST(cudaFreeAsync(third, nullptr));
  MUST(cudaDeviceSynchronize());
}

TEST_F(PoolMemory, InternalDependenciesMakeTheStreamWait) {
  Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Gate gate;
  cudaMemPoolProps props = pool_props();
  props.maxSize = 64 * MiB;
  Pool pool(props);
  pool.keep_all();
  char* first = take(pool, 64 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(first, stream));
  void* second = nullptr;
  const cudaError_t answer = cudaMallocFromPoolAsync(&second, 64 * MiB, pool, other);
  ASK_CASE("a full pool with memory freed elsewhere", cudaSuccess, answer);
  if (answer == cudaSuccess) {
    ASK_VALUE(true, second == first);
    ASK(cudaErrorNotReady, cudaStreamQuery(other));
    gate.open();
    MUST(cudaFreeAsync(second, other));
  }
  gate.open();
  (void)cudaGetLastError();
  MUST(cudaDeviceSynchronize());
}
