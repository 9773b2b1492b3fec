// Used and reserved memory of pools, trimming, release thresholds.
#include "pool/pool_support.h"

TEST_F(PoolMemory, FiguresOfUse) {
  Stream stream;
  Pool pool;
  pool.keep_all();
  for (size_t bytes : {size_t{1}, size_t{511}, size_t{512}, size_t{513}, size_t{4096}, 100 * KiB, 1 * MiB + 1, 2 * MiB,
                       3 * MiB + 5, 33 * MiB}) {
    const auto before = used(pool);
    char* address = take(pool, bytes, stream);
    ASK_FACT("used by " + std::to_string(bytes), bytes, used(pool) - before);
    FACT("reserved after " + std::to_string(bytes), reserved(pool));
    ASK_FACT("alignment of " + std::to_string(bytes), 0, reinterpret_cast<uintptr_t>(address) % 512);
    FACT("offset in 2 MiB of " + std::to_string(bytes), reinterpret_cast<uintptr_t>(address) % (2 * MiB));
    MUST(cudaFreeAsync(address, stream));
    FACT("used after the free was asked for", used(pool));
    MUST(cudaStreamSynchronize(stream));
    ASK_VALUE(before, used(pool));
  }
  FACT("used high", pool_value(pool, cudaMemPoolAttrUsedMemHigh));
  FACT("reserved high", pool_value(pool, cudaMemPoolAttrReservedMemHigh));
}

TEST_F(PoolMemory, FreeCountsWhenAskedOrWhenDone) {
  Stream stream;
  Gate gate;
  Pool pool;
  pool.keep_all();
  char* address = take(pool, 1 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(address, stream));
  ASK_FACT("used while the free is not done", 0, used(pool));
  gate.open();
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(0, used(pool));
}

TEST_F(PoolMemory, FiguresOfReservation) {
  Stream stream;
  Pool pool;
  pool.keep_all();
  char* small = take(pool, 1, stream);
  ASK_FACT("reserved for 1 byte", 32 * MiB, reserved(pool));
  char* large = take(pool, 32 * MiB, stream);
  ASK_FACT("reserved for 32 MiB more", 64 * MiB, reserved(pool));
  char* odd = take(pool, 33 * MiB, stream);
  ASK_FACT("reserved for 33 MiB more", 96 * MiB, reserved(pool));
  ASK_VALUE(96 * MiB, pool_value(pool, cudaMemPoolAttrReservedMemHigh));
  ASK_VALUE(1 + 65 * MiB, pool_value(pool, cudaMemPoolAttrUsedMemHigh));
  for (char* each : {small, large, odd}) MUST(cudaFreeAsync(each, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(96 * MiB, reserved(pool));
  unsigned long long zero = 0;
  MUST(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &zero));
  MUST(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
  ASK_FACT("reserved high after reset", 96 * MiB, pool_value(pool, cudaMemPoolAttrReservedMemHigh));
  ASK_FACT("used high after reset", 0, pool_value(pool, cudaMemPoolAttrUsedMemHigh));
}

TEST_F(PoolMemory, TrimTo) {
  Stream stream;
  Pool pool;
  pool.keep_all();
  char* first = take(pool, 30 * MiB, stream);
  char* second = take(pool, 30 * MiB, stream);
  char* third = take(pool, 30 * MiB, stream);
  FACT("reserved by three", reserved(pool));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 0));
  ASK_VALUE(96 * MiB, reserved(pool));
  MUST(cudaFreeAsync(second, stream));
  MUST(cudaFreeAsync(third, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(96 * MiB, reserved(pool));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 90 * MiB));
  ASK_FACT("after trim to 90 MiB", 96 * MiB, reserved(pool));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 64 * MiB));
  ASK_FACT("after trim to 64 MiB", 64 * MiB, reserved(pool));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 40 * MiB));
  ASK_FACT("after trim to 40 MiB", 64 * MiB, reserved(pool));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 0));
  ASK_FACT("after trim to 0", 32 * MiB, reserved(pool));
  MUST(cudaFreeAsync(first, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 0));
  ASK_FACT("after trim of all", 0, reserved(pool));
}

TEST_F(PoolMemory, TrimDoesNotTakeWhatAStreamMayUse) {
  Stream stream;
  Gate gate;
  Pool pool;
  pool.keep_all();
  char* first = take(pool, 30 * MiB, stream);
  gate.close(stream);
  MUST(cudaFreeAsync(first, stream));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 0));
  ASK_VALUE(32 * MiB, reserved(pool));
  gate.open();
  MUST(cudaStreamSynchronize(stream));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 0));
  ASK_VALUE(0, reserved(pool));
}

TEST_F(PoolMemory, GoesBackAtSynchronisation) {
  Stream stream;
  Event event;
  Pool pool;
  for (int how = 0; how < 4; ++how) {
    char* address = take(pool, 30 * MiB, stream);
    ASK_VALUE(32 * MiB, reserved(pool));
    MUST(cudaFreeAsync(address, stream));
    MUST(cudaEventRecord(event, stream));
    FACT("reserved before synchronisation", reserved(pool));
    switch (how) {
      case 0:
        MUST(cudaStreamSynchronize(stream));
        break;
      case 1:
        MUST(cudaEventSynchronize(event));
        break;
      case 2:
        MUST(cudaDeviceSynchronize());
        break;
      case 3:
        while (cudaStreamQuery(stream) == cudaErrorNotReady) {
        }
        break;
    }
    ASK_FACT("reserved after synchronisation " + std::to_string(how), how == 3 ? 32 * MiB : 0, reserved(pool));
    MUST(cudaDeviceSynchronize());
  }
}

TEST_F(PoolMemory, ReleaseThreshold) {
  Stream stream;
  Pool pool;
  pool.set(cudaMemPoolAttrReleaseThreshold, 40 * MiB);
  char* blocks[4];
  for (char*& each : blocks) each = take(pool, 30 * MiB, stream);
  ASK_VALUE(128 * MiB, reserved(pool));
  for (char* each : blocks) MUST(cudaFreeAsync(each, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("reserved with a threshold of 40 MiB", 32 * MiB, reserved(pool));
}

TEST_F(PoolMemory, CountsInMemGetInfo) {
  Stream stream;
  Pool pool;
  pool.keep_all();
  size_t before = 0, during = 0, after = 0, total = 0;
  MUST(cudaMemGetInfo(&before, &total));
  char* address = take(pool, 256 * MiB, stream);
  MUST(cudaMemGetInfo(&during, &total));
  MUST(cudaFreeAsync(address, stream));
  MUST(cudaStreamSynchronize(stream));
  MUST(cudaMemGetInfo(&after, &total));
  // Rounded to 32 MiB, because other programs on the same GPU allocate and free meanwhile.
  const auto steps = [](size_t bytes) { return (bytes + 16 * MiB) / (32 * MiB); };
  ASK_FACT("free memory lost to the pool, in steps of 32 MiB", 8, steps(before - during));
  ASK_FACT("free memory lost after the free, in steps of 32 MiB", 8, steps(before - after));
}
