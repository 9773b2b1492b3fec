# make install: PREFIX/bin, PREFIX/lib, PREFIX/include/reprise, and find_package(Reprise).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(reprise_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Reprise)

install(TARGETS reprise EXPORT RepriseTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS reprise_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS reprise-nvcc EXPORT RepriseTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/reprise)
install(EXPORT RepriseTargets NAMESPACE Reprise:: DESTINATION ${reprise_cmake_dir})
configure_package_config_file(cmake/RepriseConfig.cmake.in ${CMAKE_BINARY_DIR}/RepriseConfig.cmake
                              INSTALL_DESTINATION ${reprise_cmake_dir} PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/RepriseConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/RepriseConfig.cmake ${CMAKE_BINARY_DIR}/RepriseConfigVersion.cmake
              cmake/RepriseCudaTargets.cmake DESTINATION ${reprise_cmake_dir})

install(FILES LICENSE CHANGELOG.md README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(PROGRAMS scripts/fetch_cccl DESTINATION ${CMAKE_INSTALL_DATADIR}/reprise)

# pkg-config --cflags --libs reprise
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_here /${pkgconfig_dir} /)
string(REGEX REPLACE "/$" "" prefix_from_here ${prefix_from_here})
set(pkgconfig_files reprise)
if(TARGET reprise_cublas)
  list(APPEND pkgconfig_files reprise-tensor)
endif()
foreach(name ${pkgconfig_files})
  configure_file(cmake/${name}.pc.in ${CMAKE_BINARY_DIR}/lib/pkgconfig/${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/lib/pkgconfig/${name}.pc DESTINATION ${pkgconfig_dir})
endforeach()

# Evaluated at installation, since the prefix may be given only then: cmake --install build --prefix DIR.
install(CODE "
  include(${CMAKE_SOURCE_DIR}/cmake/RuntimeNames.cmake)
  get_filename_component(prefix \"\${CMAKE_INSTALL_PREFIX}\" ABSOLUTE)
  reprise_write_runtime_names(\${prefix} ${CMAKE_INSTALL_LIBDIR} \"\$ENV{DESTDIR}\")
")

include(RuntimeNames)
reprise_write_runtime_names(${CMAKE_BINARY_DIR} lib "")

if(TARGET reprise_cudnn)
  install(TARGETS reprise_cudnn LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET reprise_cublas)
  install(TARGETS reprise_cublas LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(TARGETS reprise_cublas_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(CODE "reprise_write_cublas_names(\${prefix} ${CMAKE_INSTALL_LIBDIR} \"\$ENV{DESTDIR}\")")
  reprise_write_cublas_names(${CMAKE_BINARY_DIR} lib "")
endif()
