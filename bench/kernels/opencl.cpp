// Runs the kernels in OpenCL C on the first CPU device, which is PoCL on Debian.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "problem.h"

namespace bench {
namespace {

const char source[] =
#include "kernels.cl.inc"
    ;

void check(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  std::printf("OpenCL: %s failed with %d\n", what, status);
  std::exit(1);
}

struct Machine {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;

  Machine() {
    cl_platform_id platforms[8];
    cl_uint count = 0;
    if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS) return;
    for (cl_uint i = 0; i < count && !device; ++i)
      if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) != CL_SUCCESS) device = nullptr;
    if (!device) return;
    cl_int status;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    const char* text = source;
    program = clCreateProgramWithSource(context, 1, &text, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    const std::string sizes = "-DLINE=" + std::to_string(line) + " -DTILE=" + std::to_string(tile) +
                              " -DPATCH_WIDTH=" + std::to_string(patch_width) +
                              " -DPATCH_HEIGHT=" + std::to_string(patch_height);
    check(clBuildProgram(program, 1, &device, sizes.c_str(), nullptr, nullptr), "clBuildProgram");
  }
};
Machine& machine() {
  static Machine one;
  return one;
}

// How a kernel is launched. Its arguments are those of n, the factor, a, b and out that it uses, in this order.
struct Shape {
  const char* name;
  bool has_n, has_factor, has_b;
};
Shape shape_of(Kind kind) {
  switch (kind) {
    case Kind::saxpy:
      return {"saxpy", true, true, false};
    case Kind::grid_stride_saxpy:
      return {"grid_stride_saxpy", true, true, false};
    case Kind::sin_exp:
      return {"sin_exp", true, false, false};
    case Kind::stencil:
      return {"stencil", true, false, false};
    case Kind::reduction:
      return {"reduction", false, false, false};
    case Kind::scan:
      return {"scan", false, false, false};
    case Kind::matmul:
      return {"matmul", true, false, true};
    case Kind::jacobi:
      return {"jacobi", true, false, true};
    case Kind::empty:
      return {"empty", false, false, false};
    default:
      return {nullptr, false, false, false};  // OpenCL C has no shuffles
  }
}

struct Launch {
  cl_kernel kernel;
  cl_uint dimensions;
  size_t global[2], local[2];
  cl_mem out;
};

// The block shape of each kernel, as in kernels.cu.
void set_threads(const Problem& p, Launch& launch) {
  const size_t n = p.n;
  launch.dimensions = p.kind == Kind::stencil || p.kind == Kind::matmul || p.kind == Kind::jacobi ? 2 : 1;
  launch.global[0] =
      p.kind == Kind::grid_stride_saxpy ? 32 * thread_count() * size_t(line) : (n + line - 1) / line * line;
  launch.local[0] = line;
  if (p.kind == Kind::empty) launch.global[0] = launch.local[0] = 1;
  if (launch.dimensions == 1) return;
  launch.global[0] = launch.global[1] = n;
  launch.local[0] = p.kind == Kind::matmul ? tile : patch_width;
  launch.local[1] = p.kind == Kind::matmul ? tile : patch_height;
}

cl_mem buffer(const float* values, size_t count) {
  cl_int status;
  cl_mem memory = clCreateBuffer(machine().context, CL_MEM_USE_HOST_PTR, count * sizeof(float),
                                 const_cast<float*>(values), &status);
  check(status, "clCreateBuffer");
  return memory;
}

std::map<const Problem*, Launch> launches;

bool prepare(const Problem& p) {
  const Shape shape = shape_of(p.kind);
  if (!machine().device || !shape.name) return false;
  cl_int status;
  Launch launch{};
  launch.kernel = clCreateKernel(machine().program, shape.name, &status);
  check(status, "clCreateKernel");
  set_threads(p, launch);
  cl_uint at = 0;
  const auto argument = [&](size_t size, const void* value) {
    check(clSetKernelArg(launch.kernel, at++, size, value), "clSetKernelArg");
  };
  if (p.kind != Kind::empty) {
    if (shape.has_n) argument(sizeof p.n, &p.n);
    if (shape.has_factor) argument(sizeof factor, &factor);
    const cl_mem a = buffer(p.a, p.a_count);
    argument(sizeof a, &a);
    if (shape.has_b) {
      const cl_mem b = buffer(p.b, p.b_count);
      argument(sizeof b, &b);
    }
    launch.out = buffer(p.out, p.out_count);
    argument(sizeof launch.out, &launch.out);
  }
  launches[&p] = launch;
  return true;
}

void run(const Problem& p) {
  const Launch& launch = launches.at(&p);
  check(clEnqueueNDRangeKernel(machine().queue, launch.kernel, launch.dimensions, nullptr, launch.global, launch.local,
                               0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(clFinish(machine().queue), "clFinish");
}

}  // namespace

const Contender opencl{"PoCL", prepare, run};

}  // namespace bench
