// What is behind the handles of the API.
#pragma once

#include <cudnn.h>

struct cudnnContext {
  cudaStream_t stream = nullptr;
  int cores = 1;
};

struct cudnnTensorStruct {
  int n = 0, c = 0, h = 0, w = 0;
};

struct cudnnFilterStruct {
  int k = 0, c = 0, h = 0, w = 0;
};

struct cudnnConvolutionStruct {
  int pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1, groups = 1;
};

struct cudnnActivationStruct {
  cudnnActivationMode_t mode = CUDNN_ACTIVATION_IDENTITY;
};
