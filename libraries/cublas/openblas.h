// OpenBLAS as this library wants it.
#pragma once

namespace reprise::cublas {

// To be called before any of its functions is, once.
void prepare_openblas();

}  // namespace reprise::cublas
