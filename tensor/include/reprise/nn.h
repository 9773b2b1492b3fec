// Modules and layers.
#pragma once

#include <reprise/nn/activations.h>
#include <reprise/nn/convolutions.h>
#include <reprise/nn/init.h>
#include <reprise/nn/layers.h>
#include <reprise/nn/module.h>
#include <reprise/nn/module_list.h>
#include <reprise/nn/normalization.h>
#include <reprise/nn/recurrent.h>
