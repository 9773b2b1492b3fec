// Everything is hidden unless marked: entry points that no public header declares carry this.
#pragma once

#define REPRISE_EXPORT __attribute__((visibility("default")))
