// Initial values of parameters (torch.nn.init).
#pragma once

#include <reprise/tensor.h>

namespace reprise::nn {

// In place and without gradients.
namespace init {
void uniform_(Tensor x, double low = 0, double high = 1);
void normal_(Tensor x, double mean = 0, double deviation = 1);
void constant_(Tensor x, double value);
void zeros_(Tensor x);
void ones_(Tensor x);
void xavier_uniform_(Tensor x, double gain = 1);
void xavier_normal_(Tensor x, double gain = 1);
// For ReLU, with the fan of the inputs.
void kaiming_uniform_(Tensor x, double a = 0);
void kaiming_normal_(Tensor x, double a = 0);
}  // namespace init

}  // namespace reprise::nn
