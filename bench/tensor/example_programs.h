// Further programs; each prints lines like bench_tensor.
#pragma once

void managed_layer();     // the memory manager's linear layer
void batch_sizes();       // graphs for some batch sizes, eager work for others
void paddle_dynamic();    // one addition
void paddle_static();     // a program of forty operations
void transformer_step();  // forward, loss, backward, clipping, AdamW; without dropout, so that results can be compared
