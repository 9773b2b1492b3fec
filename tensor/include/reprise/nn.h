// Modules and layers.
#pragma once

#include <reprise/nn/layers.h>
#include <reprise/nn/module.h>
