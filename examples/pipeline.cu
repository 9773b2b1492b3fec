// A pipeline: chunks travel through copy in, compute, copy out and a host function, each chunk on the next of
// a few streams, so that the stages of different chunks overlap.
#include <atomic>
#include <vector>

#include "check.h"

__global__ void square(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

struct Chunk {
  int* numbers;
  int count;
  long long sum;
  std::atomic<int>* finished;
};

// Runs in stream order: after the copy of the chunk, before the next work of the stream.
void CUDART_CB add_up(void* data) {
  auto& chunk = *static_cast<Chunk*>(data);
  for (int i = 0; i < chunk.count; ++i) chunk.sum += chunk.numbers[i];
  ++*chunk.finished;
}

int main() {
  const int chunks = 24, count = 50'000, stream_count = 4;
  int *host, *device_in, *device_out;
  const size_t bytes = size_t{chunks} * count * sizeof(int);
  CHECK(cudaMallocHost(&host, bytes));
  CHECK(cudaMalloc(&device_in, bytes));
  CHECK(cudaMalloc(&device_out, bytes));
  for (int i = 0; i < chunks * count; ++i) host[i] = i % 100;

  std::vector<cudaStream_t> streams(stream_count);
  for (cudaStream_t& stream : streams) CHECK(cudaStreamCreate(&stream));
  std::atomic<int> finished = 0;
  std::vector<Chunk> jobs(chunks);
  for (int c = 0; c < chunks; ++c) {
    cudaStream_t stream = streams[c % stream_count];
    int *in = device_in + c * count, *out = device_out + c * count, *mine = host + c * count;
    jobs[c] = {mine, count, 0, &finished};
    CHECK(cudaMemcpyAsync(in, mine, count * sizeof(int), cudaMemcpyHostToDevice, stream));
    square<<<(count + 255) / 256, 256, 0, stream>>>(in, out, count);
    CHECK(cudaMemcpyAsync(mine, out, count * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaLaunchHostFunc(stream, add_up, &jobs[c]));
  }
  CHECK(cudaDeviceSynchronize());

  long long total = 0, expected = 0;
  for (const Chunk& job : jobs) total += job.sum;
  for (int i = 0; i < chunks * count; ++i) expected += (i % 100) * (i % 100);
  for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  std::printf("%d chunks over %d streams: sum of squares %lld, %lld expected\n", finished.load(), stream_count, total,
              expected);
  return total != expected || finished != chunks;
}
