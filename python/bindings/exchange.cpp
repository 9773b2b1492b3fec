// Values from and to Python: torch.tensor(), NumPy arrays, DLPack, bytes.
//
// A tensor made of an array by from_numpy() or from_dlpack() shares its memory on the CPU device, whose memory is host
// memory; the array lives as long as the tensor and every graph that uses it. On a GPU only arrays of that GPU are
// shared, others are copied.
#include <nanobind/ndarray.h>
#include <reprise/capture.h>
#include <reprise/factories.h>
#include <reprise/host_buffer.h>
#include <reprise/host_values.h>
#include <reprise/memory.h>
#include <reprise/outside_capture.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "casters.h"

namespace reprise::python {
namespace {

#ifdef REPRISE_GPU
constexpr int device_kind = nb::device::cuda::value;
#else
constexpr int device_kind = nb::device::cpu::value;
#endif

using Array = nb::ndarray<>;
using HostArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

nb::dlpack::dtype dlpack_type(DType dtype) {
  using Code = nb::dlpack::dtype_code;
  Code code = is_floating(dtype) ? Code::Float : Code::Int;
  if (dtype == DType::bf16) code = Code::Bfloat;
  if (dtype == DType::u8) code = Code::UInt;
  if (dtype == DType::boolean) code = Code::Bool;
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * size_of(dtype)), 1};
}

std::optional<DType> dtype_of(nb::dlpack::dtype type) {
  for (DType each : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::i64, DType::i32, DType::i16, DType::i8,
                     DType::u8, DType::boolean}) {
    if (dlpack_type(each) == type) return each;
  }
  return {};
}

// No stream has this handle, so that every use is reported to note_use().
const cudaStream_t no_stream = reinterpret_cast<cudaStream_t>(~std::uintptr_t{0});

// Host memory of arrays, registered with the runtime: cudaMemset and others take no other. Arrays of the same memory
// share a registration. One that overlaps another is not registered: the runtime refuses it, and its calls name the
// reason.
class RegisteredRanges {
 public:
  void add(void* data, std::size_t bytes) {
    if (device_kind != nb::device::cpu::value) return;
    std::lock_guard<std::mutex> lock(mutex_);
    RelaxedCaptureMode relaxed;
    int& count = counts_[{data, bytes}];
    if (count++ == 0 && cudaHostRegister(data, bytes, cudaHostRegisterDefault) != cudaSuccess) cudaGetLastError();
  }
  void remove(void* data, std::size_t bytes) {
    if (device_kind != nb::device::cpu::value) return;
    std::lock_guard<std::mutex> lock(mutex_);
    RelaxedCaptureMode relaxed;
    auto found = counts_.find({data, bytes});
    if (--found->second != 0) return;
    counts_.erase(found);
    if (cudaHostUnregister(data) != cudaSuccess) cudaGetLastError();
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<void*, std::size_t>, int> counts_;  // guarded by mutex_
};

RegisteredRanges& registered_ranges() {
  static RegisteredRanges* ranges = new RegisteredRanges;
  return *ranges;
}

// Memory of another library. Waits for its users before it lets the owner go.
class ForeignMemory final : public Memory {
 public:
  ForeignMemory(Array array)
      : Memory(array.data(), std::max<std::size_t>(array.nbytes(), 1), no_stream), array_(std::move(array)) {
    registered_ranges().add(array_.data(), bytes());
  }
  ~ForeignMemory() override {
    {
      std::optional<nb::gil_scoped_release> waiting;
      if (PyGILState_Check()) waiting.emplace();
      RelaxedCaptureMode relaxed;
      // A stream that is gone has done its work.
      for (cudaStream_t stream : users_) {
        if (cudaStreamSynchronize(stream) != cudaSuccess) cudaGetLastError();
      }
      registered_ranges().remove(array_.data(), bytes());
    }
    nb::gil_scoped_acquire python;
    array_ = Array();
  }

  void note_use(const std::shared_ptr<const Memory>& self, cudaStream_t stream) const override {
    if (is_capturing(stream)) {
      // Also for the check of copies from and to host memory at the end of the capture.
      return keep_host_memory(std::shared_ptr<const void>(self, address()), bytes());
    }
    std::lock_guard<std::mutex> lock(mutex_);
    if (std::find(users_.begin(), users_.end(), stream) == users_.end()) users_.push_back(stream);
  }

 private:
  Array array_;
  mutable std::mutex mutex_;
  mutable std::vector<cudaStream_t> users_;  // guarded by mutex_
};

Sizes shape_of(const Array& array) { return Sizes(array.shape_ptr(), array.shape_ptr() + array.ndim()); }

Tensor from_array(const HostArray& array) {
  if (array.ndim() > Sizes::capacity) fail("an array of ", array.ndim(), " dimensions: at most ", Sizes::capacity);
  const Sizes sizes(array.shape_ptr(), array.shape_ptr() + array.ndim());
  const nb::dlpack::dtype type = array.dtype();
  if (auto own = dtype_of(type)) return from_host(array.data(), sizes, *own);
  throw nb::type_error("an array of this element type cannot become a tensor");
}

// Nested lists of numbers.
class NestedValues {
 public:
  explicit NestedValues(nb::handle data) { add(data, 0); }

  Tensor tensor() const {
    if (kind_ == DType::boolean) return from_vector(std::vector<bool>(wholes_.begin(), wholes_.end()), sizes_);
    if (kind_ == DType::i64) return from_vector(wholes_, sizes_);
    return from_vector(reals_, sizes_).to(DType::f32);
  }

 private:
  void add(nb::handle data, int depth) {
    Scalar number = 0;
    if (nb::try_cast(data, number)) return add_number(number, depth);
    if (nb::hasattr(data, "tolist")) return add(data.attr("tolist")(), depth);
    if (!PyList_Check(data.ptr()) && !PyTuple_Check(data.ptr())) {
      throw nb::type_error(("a tensor is made of numbers and lists of numbers, not of " +
                            std::string(nb::type_name(data.type()).c_str()))
                               .c_str());
    }
    const std::int64_t size = static_cast<std::int64_t>(nb::len(data));
    if (depth == sizes_.size()) {
      if (!open_) uneven();
      sizes_.push_back(size);
    } else if (sizes_[depth] != size) {
      uneven();
    }
    for (nb::handle each : data) add(each, depth + 1);
    if (size == 0) open_ = false, kind_ = DType::f32;
  }
  void add_number(Scalar number, int depth) {
    open_ = false;
    if (depth != sizes_.size()) uneven();
    const DType kind = number.promoted(DType::boolean);
    kind_ = reals_.empty() ? kind : promote(kind_, kind);
    reals_.push_back(number.value());
    wholes_.push_back(number.whole());
  }
  [[noreturn]] static void uneven() {
    throw nb::value_error("the lists that a tensor is made of must have equal lengths at each depth");
  }

  Sizes sizes_;
  bool open_ = true;  // no number yet: sizes_ still grows
  DType kind_ = DType::f32;
  std::vector<double> reals_;
  std::vector<std::int64_t> wholes_;
};

Tensor values_of(nb::handle data) {
  if (nb::isinstance<Tensor>(data)) return nb::cast<const Tensor&>(data).detach().clone();
  HostArray array;
  const bool is_array = nb::hasattr(data, "__dlpack__") || PyObject_CheckBuffer(data.ptr());
  if (is_array && nb::try_cast(data, array)) return from_array(array);
  return NestedValues(data).tensor();
}

Tensor make_tensor(nb::object data, std::optional<DType> dtype, nb::object device, bool requires_grad, bool) {
  check_device(device, "tensor");
  Tensor made = values_of(data);
  if (dtype) made = made.to(*dtype);
  if (requires_grad) made.requires_grad_();
  return made;
}

// Shares the memory if the array is on the device of tensors and has an element type of theirs.
Tensor share(nb::handle object, const char* function) {
  Array array;
  if (!nb::try_cast(object, array)) {
    throw nb::type_error(
        (std::string(function) + "(): an array that can be written and exchanged is expected").c_str());
  }
  const std::optional<DType> dtype = dtype_of(array.dtype());
  bool strides_fit = array.ndim() <= Sizes::capacity;
  for (std::size_t i = 0; i < array.ndim(); ++i) strides_fit = strides_fit && array.stride(i) >= 0;
  if (array.device_type() != device_kind || !dtype || !strides_fit) return values_of(object);
  auto body = std::make_shared<TensorBody>();
  body->sizes = shape_of(array);
  body->strides = Sizes(array.stride_ptr(), array.stride_ptr() + array.ndim());
  body->dtype = *dtype;
  body->memory = std::make_shared<ForeignMemory>(std::move(array));
  return Tensor(std::move(body));
}

// Copies the elements to host memory, while other threads of Python run.
void read(const Tensor& x, void* to) {
  nb::gil_scoped_release waiting;
  copy_to_host(to, x);
}

// A copy of the elements in host memory, as an array that owns it.
nb::object to_numpy(const Tensor& self) {
  if (self.dtype() == DType::bf16) throw nb::type_error("numpy(): NumPy has no bfloat16; convert with float() first");
  char* values = new char[std::max<std::size_t>(self.numel() * size_of(self.dtype()), 1)];
  nb::capsule owner(values, [](void* data) noexcept { delete[] static_cast<char*>(data); });
  read(self.detach(), values);
  const std::vector<std::size_t> shape(self.sizes().begin(), self.sizes().end());
  return nb::cast(
      nb::ndarray<nb::numpy>(values, shape.size(), shape.data(), owner, nullptr, dlpack_type(self.dtype())));
}

nb::object to_array(const Tensor& self, nb::object dtype, nb::object) {
  nb::object array = to_numpy(self);
  return dtype.is_none() ? array : array.attr("astype")(dtype);
}

// Waits until all work on the tensor is done: an array has no stream.
void wait_for(const Tensor& x) {
  const cudaStream_t stream = current_stream();
  check(!is_capturing(stream),
        "exporting a tensor: the current stream is capturing, so there is no value yet. Export it after a replay");
  x.body().memory->check_readable();
  nb::gil_scoped_release waiting;
  RelaxedCaptureMode relaxed;
  x.body().memory->wait_for_other_streams(stream);
  check_cuda(cudaStreamSynchronize(stream), "exporting a tensor");
}

// The tensor as an array of no library, whose memory it shares.
nb::ndarray<nb::array_api> exported(nb::handle self) {
  const Tensor& x = nb::cast<const Tensor&>(self);
  if (x.requires_grad()) {
    throw nb::buffer_error(
        "a tensor that requires gradients cannot be exported: autograd would not see what is done with "
        "it; export its detach()");
  }
  wait_for(x);
  const std::vector<std::size_t> shape(x.sizes().begin(), x.sizes().end());
  return nb::ndarray<nb::array_api>(x.data(), shape.size(), shape.data(), self, x.strides().begin(),
                                    dlpack_type(x.dtype()), device_kind);
}

nb::object dlpack(nb::handle self, nb::object, nb::object max_version, nb::object, nb::object copy) {
  nb::object source = nb::borrow(self);
  if (!copy.is_none() && nb::cast<bool>(copy)) source = nb::cast(nb::cast<const Tensor&>(self).clone());
  nb::object array = nb::cast(exported(source), nb::rv_policy::reference);
  return max_version.is_none() ? array.attr("__dlpack__")() : array.attr("__dlpack__")("max_version"_a = max_version);
}

nb::bytes to_bytes(const Tensor& self) {
  std::string values(self.numel() * size_of(self.dtype()), '\0');
  read(self.detach(), values.data());
  return nb::bytes(values.data(), values.size());
}

Tensor from_bytes(nb::bytes values, const Sizes& sizes, DType dtype, bool requires_grad) {
  if (!is_countable(sizes) || values.size() != product(sizes) * size_of(dtype)) {
    fail("unpickling a tensor: ", values.size(), " bytes are not ", sizes, " elements of ", dtype);
  }
  Tensor made = from_host(values.c_str(), sizes, dtype);
  if (requires_grad) made.requires_grad_();
  return made;
}

}  // namespace

void bind_exchange(nb::module_& m, nb::class_<Tensor>& tensor) {
  m.def("tensor", &make_tensor, "data"_a, nb::kw_only(), "dtype"_a = nb::none(), "device"_a = nb::none(),
        "requires_grad"_a = false, "pin_memory"_a = false,
        "A tensor of a number, of nested lists of numbers, or of an array, which is copied.");
  m.def(
      "_tensor_outside_capture",
      [](nb::object data) {
        OutsideCapture outside;
        return values_of(data);
      },
      "data"_a, "tensor(data), also while the current stream is capturing: it is made now, not in each replay.");
  m.def(
      "as_tensor",
      [](nb::object data, std::optional<DType> dtype, nb::object device) {
        check_device(device, "as_tensor");
        const bool is_tensor = nb::isinstance<Tensor>(data);
        const Tensor made = is_tensor ? nb::cast<Tensor>(data) : values_of(data);
        return dtype ? made.to(*dtype) : made;
      },
      "data"_a, "dtype"_a = nb::none(), "device"_a = nb::none());
  m.def(
      "from_numpy", [](nb::object array) { return share(array, "from_numpy"); }, "ndarray"_a,
      "A tensor of an array's memory, on the CPU device; on a GPU, of a copy.");
  m.def(
      "from_dlpack", [](nb::object array) { return share(array, "from_dlpack"); }, "ext_tensor"_a,
      "A tensor of the memory of another library's array, if it is on the same device; otherwise of a copy.");
  m.def("_from_bytes", &from_bytes, "values"_a, "sizes"_a, "dtype"_a, "requires_grad"_a);
  tensor.def("numpy", &to_numpy, "A NumPy array of the elements, which are copied. Waits for the device.")
      .def("__array__", &to_array, "dtype"_a = nb::none(), "copy"_a = nb::none())
      .def("__dlpack__", &dlpack, nb::kw_only(), "stream"_a = nb::none(), "max_version"_a = nb::none(),
           "dl_device"_a = nb::none(), "copy"_a = nb::none())
      .def("__dlpack_device__",
           [](const Tensor&) {
             int device = 0;
             if (device_kind == nb::device::cuda::value)
               check_cuda(cudaGetDevice(&device), "asking for the current device");
             return nb::make_tuple(device_kind, device);
           })
      .def("_to_bytes", &to_bytes);
}

}  // namespace reprise::python
