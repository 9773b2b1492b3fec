// Everything of the tensor layer.
#pragma once

#include <reprise/autocast.h>
#include <reprise/autograd.h>
#include <reprise/checkpoint.h>
#include <reprise/control_flow.h>
#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/graph_cache.h>
#include <reprise/graphed_callables.h>
#include <reprise/host_buffer.h>
#include <reprise/nn.h>
#include <reprise/ops.h>
#include <reprise/optim.h>
#include <reprise/safetensors.h>
#include <reprise/segmented_graph.h>
