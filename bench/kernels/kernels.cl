// The kernels of kernels.cu, translated line by line to OpenCL C. The host program defines the sizes as macros.
kernel void saxpy(int n, float a, global const float* x, global float* y) {
  const int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}

kernel void grid_stride_saxpy(int n, float a, global const float* x, global float* y) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = a * x[i] + y[i];
}

kernel void sin_exp(int n, global const float* x, global float* out) {
  const int i = get_global_id(0);
  if (i < n) out[i] = sin(x[i]) * exp(x[i]);
}

kernel void stencil(int n, global const float* in, global float* out) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  out[y * n + x] = 0.5f * in[y * n + x] +
                   0.125f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}

kernel void reduction(global const float* in, global float* out) {
  local float sums[LINE];
  const int t = get_local_id(0);
  sums[t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_ = get_local_size(0) / 2; half_ > 0; half_ /= 2) {
    if (t < half_) sums[t] += sums[t + half_];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) out[get_group_id(0)] = sums[0];
}

kernel void scan(global const float* in, global float* out) {
  local float sums[LINE];
  const int t = get_local_id(0);
  sums[t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance_ = 1; distance_ < get_local_size(0); distance_ *= 2) {
    const float before = t >= distance_ ? sums[t - distance_] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[t] += before;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sums[t];
}

kernel void matmul(int n, global const float* a, global const float* b, global float* out) {
  local float a_tile[TILE][TILE], b_tile[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = get_global_id(1), column = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k += TILE) {
    a_tile[y][x] = a[row * n + k + x];
    b_tile[y][x] = b[(k + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i) sum += a_tile[y][i] * b_tile[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[row * n + column] = sum;
}

kernel void jacobi(int n, global const float* in, global const float* right, global float* out) {
  local float cells[PATCH_HEIGHT + 2][PATCH_WIDTH + 2];
  local float changes[PATCH_HEIGHT * PATCH_WIDTH];
  const int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  const int cx = lx + 1, cy = ly + 1, t = ly * PATCH_WIDTH + lx;
  cells[cy][cx] = in[y * n + x];
  if (lx == 0 && x > 0) cells[cy][0] = in[y * n + x - 1];
  if (lx == PATCH_WIDTH - 1 && x < n - 1) cells[cy][PATCH_WIDTH + 1] = in[y * n + x + 1];
  if (ly == 0 && y > 0) cells[0][cx] = in[(y - 1) * n + x];
  if (ly == PATCH_HEIGHT - 1 && y < n - 1) cells[PATCH_HEIGHT + 1][cx] = in[(y + 1) * n + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float change = 0;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
    const float value = 0.25f * (cells[cy][cx - 1] + cells[cy][cx + 1] + cells[cy - 1][cx] + cells[cy + 1][cx] + right[y * n + x]);
    change = fabs(value - cells[cy][cx]);
    out[y * n + x] = value;
  }
  changes[t] = change;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_ = PATCH_HEIGHT * PATCH_WIDTH / 2; half_ > 0; half_ /= 2) {
    if (t < half_) changes[t] += changes[t + half_];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) out[n * n + get_group_id(1) * get_num_groups(0) + get_group_id(0)] = changes[0];
}

kernel void empty() {}
