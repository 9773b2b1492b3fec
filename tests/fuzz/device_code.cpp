#include "device_code.h"

#include <cstddef>

#include "kernel/kernel_abi.h"

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
int __cudaRegisterFunction(void** handle, const char* stub, char* device_name, const char* name, int, void*, void*,
                           void*, void*, int*);
void __cudaRegisterVar(void** handle, char* shadow, char* device_name, const char* name, int, size_t size, int constant,
                       int);
}

namespace fuzz {

char kernel_stub;
int variable_shadow[16];

namespace {

int variable[16];

void do_nothing(const void*, const reprise_launch*) {}

const reprise_param parameters[] = {{0, 8}, {8, 4}};
reprise_kernel kernels[1] = {};
const reprise_variable variables[] = {
    {"fuzz_variable", variable, sizeof variable, reprise_device_variable, 0, nullptr}};
reprise_module module = {reprise_abi_version, 1, 1, 0, "fuzz", kernels, variables};

}  // namespace

void register_device_code() {
  kernels[0].name = "fuzz_kernel";
  kernels[0].thunk = do_nothing;
  kernels[0].params = parameters;
  kernels[0].param_count = 2;
  kernels[0].param_bytes = 12;
  __reprise_register_module(&module);
  static struct {
    int magic = 0x466243b1, version = 1;
    const char* data = "fuzz";
    void* unused = nullptr;
  } wrapper;
  void** handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &kernel_stub, nullptr, "fuzz_kernel", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterVar(handle, reinterpret_cast<char*>(variable_shadow), nullptr, "fuzz_variable", 0,
                    sizeof variable_shadow, 0, 0);
  __cudaRegisterFatBinaryEnd(handle);
}

}  // namespace fuzz
