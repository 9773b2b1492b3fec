#include <reprise/factories.h>
#include <reprise/ops.h>

#include <iostream>

int main() {
  reprise::Tensor x = reprise::from_vector(std::vector<float>{1, 2, 3, 4}, {2, 2});
  std::cout << matmul(x, x.t()) << "\n";
}
