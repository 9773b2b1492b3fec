// dtype, device and Size, and what names them in arguments.
#include <cuda_runtime_api.h>
#include <nanobind/operators.h>
#include <reprise/error.h>

#include "casters.h"

namespace reprise::python {
namespace {

// The type torch.Size, a tuple; never destroyed, since tensors may outlive the interpreter's modules.
PyTypeObject* size_type = nullptr;

struct TypeName {
  DType dtype;
  const char* repr;   // as PyTorch prints it
  const char* name;   // in the module
  const char* alias;  // another name of PyTorch's
};
constexpr TypeName type_names[] = {
    {DType::f64, "torch.float64", "float64", "double"}, {DType::f32, "torch.float32", "float32", "float"},
    {DType::f16, "torch.float16", "float16", "half"},   {DType::bf16, "torch.bfloat16", "bfloat16", nullptr},
    {DType::i64, "torch.int64", "int64", "long"},       {DType::i32, "torch.int32", "int32", "int"},
    {DType::i16, "torch.int16", "int16", "short"},      {DType::i8, "torch.int8", "int8", nullptr},
    {DType::u8, "torch.uint8", "uint8", nullptr},       {DType::boolean, "torch.bool", "bool", nullptr},
};

struct Device {
  std::string type;
  int index = 0;

  bool operator==(const Device& other) const { return type == other.type && index == other.index; }
  std::string name() const { return type == "cuda" ? type + ":" + std::to_string(index) : type; }
};

int device_count() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

Device device_named(const std::string& name) {
  const std::size_t colon = name.find(':');
  const std::string type = name.substr(0, colon);
  std::string number = colon == std::string::npos ? "0" : name.substr(colon + 1);
  const bool is_number = !number.empty() && number.size() < 6 && number.find_first_not_of("0123456789") == number.npos;
  if ((type != "cuda" && type != "gpu" && type != "cpu") || !is_number) {
    fail("device \"", name, "\": the devices are \"cuda\" (or \"cuda:0\") and, for programs that name it, \"cpu\"");
  }
  return {type == "gpu" ? "cuda" : type, std::stoi(number)};
}

Device device_of(nb::handle object) {
  if (nb::isinstance<Device>(object)) return nb::cast<Device>(object);
  if (PyLong_Check(object.ptr())) return {"cuda", nb::cast<int>(object)};
  if (PyUnicode_Check(object.ptr())) return device_named(nb::cast<std::string>(object));
  // A place of Paddle's.
  if (nb::hasattr(object, "get_device_id")) return {"cuda", nb::cast<int>(object.attr("get_device_id")())};
  throw nb::type_error("a device is a name such as \"cuda:0\", a number, or a torch.device");
}

Device current_device() {
  int current = 0;
  check_cuda(cudaGetDevice(&current), "asking for the current device");
  return {"cuda", current};
}

}  // namespace

nb::object device_object() { return nb::cast(current_device()); }
std::string device_name() { return current_device().name(); }

nb::object size_object(const Sizes& sizes) {
  PyObject* made = size_type->tp_alloc(size_type, sizes.size());
  if (!made) throw nb::python_error();
  for (int i = 0; i < sizes.size(); ++i) PyTuple_SET_ITEM(made, i, PyLong_FromLongLong(sizes[i]));
  return nb::steal(made);
}

Sizes sizes_of(const nb::args& arguments, const char* function) {
  nb::handle list = arguments;
  if (arguments.size() == 1 && !PyIndex_Check(arguments[0].ptr())) list = arguments[0];
  Sizes sizes;
  if (nb::try_cast(list, sizes)) return sizes;
  throw nb::type_error((std::string(function) + "(): sizes are integers, at most " + std::to_string(Sizes::capacity) +
                        " of them, or one tuple or list of integers")
                           .c_str());
}

void check_device(nb::handle object, const char* function) {
  if (object.is_none()) return;
  const Device device = device_of(object);
  if (device.type == "cpu") return;
  const int current = current_device().index;
  check(device.index == current, function, " on device ", device.name(),
        ": tensors are on the current device, cuda:", current,
        device.index < device_count() ? "; make it current with torch.cuda.set_device()" : ", the only one");
}

const char* python_name(DType dtype) {
  for (const TypeName& each : type_names) {
    if (each.dtype == dtype) return each.repr;
  }
  return "?";
}

Reduction reduction_of(const std::string& name, const char* function) {
  if (name == "mean") return Reduction::mean;
  if (name == "sum") return Reduction::sum;
  if (name == "none") return Reduction::none;
  throw nb::value_error(
      (std::string(function) + "(): reduction \"" + name + "\" is not \"mean\", \"sum\" or \"none\"").c_str());
}

Sizes dims_of(nb::handle dims) { return dims.is_none() ? Sizes() : nb::cast<Sizes>(dims); }

void bind_types(nb::module_& m) {
  // A class of Python's, since one of this module cannot be a tuple.
  nb::object size = nb::module_::import_("reprise._size").attr("Size");
  m.attr("Size") = size;
  size_type = reinterpret_cast<PyTypeObject*>(size.release().ptr());

  nb::enum_<DType> dtype(m, "dtype", "An element type, for example torch.float32.");
  for (const TypeName& each : type_names) dtype.value(each.name, each.dtype);
  dtype.def("__repr__", [](DType self) { return python_name(self); });
  dtype.def("__str__", [](DType self) { return python_name(self); });
  dtype.def_prop_ro("is_floating_point", [](DType self) { return is_floating(self); });
  dtype.def_prop_ro("itemsize", [](DType self) { return size_of(self); });
  for (const TypeName& each : type_names) {
    m.attr(each.name) = dtype.attr(each.name);
    if (each.alias) m.attr(each.alias) = dtype.attr(each.name);
  }

  nb::class_<Device>(m, "device", "A device: device(\"cuda\"), device(\"cuda:0\"), device(\"cuda\", 0).")
      .def(
          "__init__",
          [](Device* self, nb::object type, std::optional<int> index) {
            new (self) Device(device_of(type));
            if (index) self->index = *index;
          },
          "type"_a, "index"_a = nb::none())
      .def_ro("type", &Device::type)
      .def_prop_ro("index",
                   [](const Device& self) -> std::optional<int> {
                     return self.type == "cuda" ? std::optional<int>(self.index) : std::nullopt;
                   })
      .def("__str__", &Device::name)
      .def("__hash__", [](const Device& self) { return std::hash<std::string>()(self.name()); })
      .def(
          "__eq__", [](const Device& self, const Device& other) { return self == other; }, nb::is_operator())
      .def("__repr__", [](const Device& self) {
        return "device(type='" + self.type + "'" +
               (self.type == "cuda" ? ", index=" + std::to_string(self.index) : "") + ")";
      });
  m.def("_check_device", [](nb::object device) { check_device(device, "device"); }, nb::arg("device").none());
}

}  // namespace reprise::python
