// What nvcc tells of extended lambdas, for programs that guard against their limits in nvcc: there the type of such a
// lambda is replaced in host code by one that loses its return type. Clang keeps the lambda as it is, so none has those
// limits and every answer is no.
#pragma once

#define __nv_is_extended_device_lambda_closure_type(...) (false)
#define __nv_is_extended_host_device_lambda_closure_type(...) (false)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) (false)
