// Paddle's names for graphs of tensor work, in the namespace reprise::paddle.
//
//   namespace paddle = reprise::paddle;
//   paddle::Variable input = paddle::static_data("input", {1});
//   paddle::Variable output = input + 1;
//   output.set_persistable();
//   paddle::Executor executor(paddle::CUDAPlace{0});
//   executor.run(paddle::default_startup_program());
//   executor.run(paddle::default_main_program(), {{"input", batch}});
//   std::cout << Tensor(paddle::global_scope().var(output.name()).get_tensor());
#pragma once

#include <reprise/paddle/cuda_graph.h>
#include <reprise/paddle/executor.h>
#include <reprise/paddle/place.h>
#include <reprise/paddle/program.h>
#include <reprise/paddle/scope.h>
