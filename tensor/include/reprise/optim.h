// Optimisers, learning-rate schedules, gradient scaling and clipping.
#pragma once

#include <reprise/optim/adam.h>
#include <reprise/optim/clip.h>
#include <reprise/optim/grad_scaler.h>
#include <reprise/optim/optimizer.h>
#include <reprise/optim/plateau.h>
#include <reprise/optim/rmsprop.h>
#include <reprise/optim/schedule.h>
#include <reprise/optim/sgd.h>
