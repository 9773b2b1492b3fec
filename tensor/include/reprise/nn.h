// Modules and layers.
#pragma once

#include <reprise/nn/layers.h>
#include <reprise/nn/module.h>
#include <reprise/nn/more_layers.h>
#include <reprise/nn/normalization.h>
#include <reprise/nn/recurrent.h>
