// nvcc's traits of extended lambdas, for programs that guard against nvcc's restrictions: in host code, nvcc replaces
// the type of such a lambda by one without its return type. Clang keeps the lambda, so the restrictions do not apply
// and every trait is false.
#pragma once

#define __nv_is_extended_device_lambda_closure_type(...) (false)
#define __nv_is_extended_host_device_lambda_closure_type(...) (false)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) (false)
