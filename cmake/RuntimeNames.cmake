# The names by which programs written for NVIDIA's runtime find it: -lcudart, -lcudart_static, -lcuda, -lcudadevrt, and a
# directory laid out like a toolkit (PREFIX/lib/reprise/cuda with bin/nvcc, include, lib64) for CUDA_HOME, CMake and the like. The
# libraries are linker scripts, which can list the other libraries that an archive needs. A linker looks for the files of a
# script in the script's folder first, and records the path of a library without SONAME in the program: a program linked by
# any compiler with -L/FULL/PATH -lcudart finds the runtime without LD_LIBRARY_PATH, and an installation can be moved.
#
# reprise_write_runtime_names(PREFIX LIBDIR DESTDIR): called for the build tree and at installation.
include_guard(GLOBAL)

function(_reprise_link target link)
  get_filename_component(directory ${link} DIRECTORY)
  file(MAKE_DIRECTORY ${directory})
  file(REMOVE ${link})
  file(CREATE_LINK ${target} ${link} SYMBOLIC)
endfunction()

function(reprise_write_runtime_names prefix libdir destdir)
  set(libraries ${destdir}${prefix}/${libdir})
  file(WRITE ${libraries}/libcudart.so
       "/* Reprise's runtime under the name of NVIDIA's. */\nINPUT ( libreprise.so )\n")
  file(WRITE ${libraries}/libcudart_static.a
       "/* Reprise's runtime and the libraries it needs. */\n"
       "GROUP ( libreprise_static.a )\n"
       "INPUT ( -lstdc++ -lpthread -ldl -lrt -lm )\n")
  # The driver API is in the same library. A program that opens libcuda.so.1 by name gets the library it already has.
  file(WRITE ${libraries}/libcuda.so
       "/* Reprise's driver API under the name of NVIDIA's. */\nINPUT ( libreprise.so )\n")
  _reprise_link(libreprise.so ${libraries}/libcuda.so.1)
  # libcudadevrt is not needed: an archive without members.
  file(WRITE ${libraries}/libcudadevrt.a "!<arch>\n")

  file(RELATIVE_PATH up ${prefix}/${libdir}/reprise/cuda ${prefix})
  set(toolkit ${libraries}/reprise/cuda)
  _reprise_link(../${up}bin/reprise-nvcc ${toolkit}/bin/nvcc)
  _reprise_link(${up}include/reprise ${toolkit}/include)
  _reprise_link(${up}${libdir} ${toolkit}/lib64)
endfunction()

# The same for -lcublas and -lcublas_static, if cuBLAS was built.
function(reprise_write_cublas_names prefix libdir destdir)
  set(libraries ${destdir}${prefix}/${libdir})
  file(WRITE ${libraries}/libcublas.so
       "/* Reprise's cuBLAS under the name of NVIDIA's. */\nINPUT ( libreprise_cublas.so )\n")
  file(WRITE ${libraries}/libcublas_static.a
       "/* Reprise's cuBLAS under the name of NVIDIA's. */\nINPUT ( libreprise_cublas_static.a )\n")
endfunction()
