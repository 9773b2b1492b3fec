#include "memory/virtual/virtual_memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "memory/address/address_map.h"
#include "memory/allocate/allocation.h"

namespace reprise_runtime::memory {
namespace {

constexpr std::size_t granule = mapping_granularity;
constexpr cudaMemAccessDesc device_access(cudaMemAccessFlags flags) { return {{cudaMemLocationTypeDevice, 0}, flags}; }
constexpr cudaMemAccessDesc read_write = device_access(cudaMemAccessFlagsProtReadWrite),
                            read_only = device_access(cudaMemAccessFlagsProtRead),
                            no_access = device_access(cudaMemAccessFlagsProtNone);

char* pointer(std::uintptr_t address) { return reinterpret_cast<char*>(address); }

class VirtualMemoryTest : public testing::Test {
 protected:
  VirtualMemory& memory = VirtualMemory::instance();

  std::uintptr_t reserve(std::size_t bytes, std::size_t alignment = 0, std::uintptr_t preferred = 0) {
    Result<std::uintptr_t> made = memory.reserve(bytes, alignment, preferred);
    EXPECT_TRUE(made.ok());
    return made.ok() ? *made : 0;
  }
  Handle create(std::size_t bytes, unsigned handle_types = cudaMemHandleTypeNone) {
    PhysicalMemoryProperties properties;
    properties.handle_types = handle_types;
    Result<Handle> made = create_physical_memory(bytes, properties);
    EXPECT_TRUE(made.ok());
    return made.ok() ? *made : Handle{};
  }
  // Memory of `bytes`, mapped with access; only the mapping holds it.
  void map_new(std::uintptr_t address, std::size_t bytes) {
    const Handle handle = create(bytes);
    ASSERT_EQ(cudaSuccess, memory.map(address, bytes, 0, handle));
    ASSERT_EQ(cudaSuccess, memory.set_access(address, bytes, &read_write, 1));
    ASSERT_EQ(cudaSuccess, release_physical_memory(handle));
  }
};

TEST_F(VirtualMemoryTest, ReservationsAreAlignedAndFreedAsAWhole) {
  const std::uintptr_t address = reserve(2 * granule, 64 * granule);
  EXPECT_EQ(0u, address % (64 * granule));
  EXPECT_EQ(cudaErrorInvalidValue, memory.free_addresses(address, granule));
  EXPECT_EQ(cudaErrorInvalidValue, memory.free_addresses(address + granule, granule));
  EXPECT_EQ(cudaSuccess, memory.free_addresses(address, 2 * granule));
  EXPECT_EQ(cudaErrorInvalidValue, memory.free_addresses(address, 2 * granule));
}

TEST_F(VirtualMemoryTest, AReservationIsAtThePreferredAddressWhileThatIsFree) {
  const std::uintptr_t first = reserve(4 * granule);
  ASSERT_EQ(cudaSuccess, memory.free_addresses(first, 4 * granule));
  EXPECT_EQ(first + granule, reserve(granule, 0, first + granule));
  const std::uintptr_t elsewhere = reserve(granule, 0, first + granule);
  EXPECT_NE(first + granule, elsewhere);
  EXPECT_EQ(cudaSuccess, memory.free_addresses(first + granule, granule));
  EXPECT_EQ(cudaSuccess, memory.free_addresses(elsewhere, granule));
}

TEST_F(VirtualMemoryTest, WrongSizesAndAlignmentsAreRefused) {
  EXPECT_EQ(cudaErrorInvalidValue, memory.reserve(0, 0, 0).status());
  EXPECT_EQ(cudaErrorInvalidValue, memory.reserve(granule - 1, 0, 0).status());
  EXPECT_EQ(cudaErrorInvalidValue, memory.reserve(granule, 3 * granule, 0).status());
  EXPECT_EQ(cudaErrorInvalidValue, memory.reserve(granule, 0, 1).status());
  EXPECT_EQ(cudaErrorMemoryAllocation, memory.reserve(std::size_t{1} << 50, 0, 0).status());
  EXPECT_EQ(cudaErrorInvalidValue, create_physical_memory(granule - 1, {}).status());
  EXPECT_EQ(cudaErrorInvalidValue, create_physical_memory(0, {}).status());
  EXPECT_EQ(cudaErrorMemoryAllocation, create_physical_memory(std::size_t{1} << 50, {}).status());
  PhysicalMemoryProperties elsewhere;
  elsewhere.location.id = 7;
  EXPECT_EQ(cudaErrorInvalidDevice, create_physical_memory(granule, elsewhere).status());
}

TEST_F(VirtualMemoryTest, MappingsThatAdjoinAreOneRangeForWork) {
  const std::uintptr_t address = reserve(4 * granule);
  map_new(address, granule);
  map_new(address + granule, 2 * granule);
  std::memset(pointer(address), 7, 3 * granule);
  EXPECT_EQ(7, pointer(address)[3 * granule - 1]);
  const Range range = lookup(pointer(address));
  EXPECT_EQ(MemoryKind::device, range.kind);
  EXPECT_EQ(granule, range.size);
  EXPECT_FALSE(range.holds(pointer(address), 3 * granule));
  EXPECT_TRUE(hold_together(range, pointer(address), 3 * granule));
  EXPECT_FALSE(hold_together(range, pointer(address), 3 * granule + 1));
  EXPECT_EQ(MemoryKind::dead, lookup(pointer(address + 3 * granule)).kind);
  ASSERT_EQ(cudaSuccess, memory.set_access(address + granule, 2 * granule, &read_only, 1));
  EXPECT_FALSE(hold_together(range, pointer(address), 3 * granule));
  EXPECT_EQ(cudaSuccess, memory.unmap(address, 4 * granule));
  EXPECT_EQ(cudaSuccess, memory.free_addresses(address, 4 * granule));
}

TEST_F(VirtualMemoryTest, OneMappingMayCrossReservationsThatAdjoin) {
  const std::uintptr_t first = reserve(2 * granule);
  ASSERT_EQ(cudaSuccess, memory.free_addresses(first, 2 * granule));
  ASSERT_EQ(first, reserve(granule, 0, first));
  ASSERT_EQ(first + granule, reserve(granule, 0, first + granule));
  map_new(first, 2 * granule);
  pointer(first)[2 * granule - 1] = 1;
  EXPECT_EQ(cudaErrorInvalidValue, memory.free_addresses(first + granule, granule)) << "memory is mapped there";
  EXPECT_EQ(cudaSuccess, memory.unmap(first, 2 * granule));
  EXPECT_EQ(cudaSuccess, memory.free_addresses(first, granule));
  EXPECT_EQ(cudaSuccess, memory.free_addresses(first + granule, granule));
}

TEST_F(VirtualMemoryTest, OnlyAllOfTheMemoryCanBeMapped) {
  const std::uintptr_t address = reserve(4 * granule);
  const Handle handle = create(2 * granule);
  EXPECT_EQ(cudaErrorNotSupported, memory.map(address, granule, 0, handle));
  EXPECT_EQ(cudaErrorNotSupported, memory.map(address, granule, granule, handle));
  EXPECT_EQ(cudaErrorNotSupported, memory.map(address, 4 * granule, 0, handle));
  EXPECT_EQ(cudaErrorInvalidValue, memory.map(address + 1, 2 * granule, 0, handle));
  EXPECT_EQ(cudaErrorInvalidValue, memory.map(address + 3 * granule, 2 * granule, 0, handle));
  EXPECT_EQ(cudaErrorInvalidValue, memory.map(address, 2 * granule, 0, Handle{12345}));
  EXPECT_EQ(cudaSuccess, memory.map(address + granule, 2 * granule, 0, handle));
  EXPECT_EQ(cudaErrorInvalidValue, memory.map(address, 2 * granule, 0, handle)) << "something is mapped there";
  EXPECT_EQ(cudaErrorInvalidValue, memory.unmap(address, 2 * granule)) << "part of the mapping";
  EXPECT_EQ(cudaErrorInvalidValue, memory.free_addresses(address, 4 * granule));
  EXPECT_EQ(cudaSuccess, memory.unmap(address, 4 * granule));
  EXPECT_EQ(cudaSuccess, memory.unmap(address, 4 * granule)) << "nothing is mapped there";
  EXPECT_EQ(cudaErrorInvalidValue, memory.unmap(address, 0));
  EXPECT_EQ(cudaSuccess, memory.free_addresses(address, 4 * granule));
  EXPECT_EQ(cudaErrorInvalidValue, memory.unmap(address, 4 * granule));
  EXPECT_EQ(cudaSuccess, release_physical_memory(handle));
}

TEST_F(VirtualMemoryTest, TwoMappingsOfTheSameMemoryAreAliases) {
  const std::uintptr_t address = reserve(2 * granule);
  const Handle handle = create(granule);
  for (const std::uintptr_t each : {address, address + granule}) {
    ASSERT_EQ(cudaSuccess, memory.map(each, granule, 0, handle));
    ASSERT_EQ(cudaSuccess, memory.set_access(each, granule, &read_write, 1));
  }
  pointer(address)[5] = 42;
  EXPECT_EQ(42, pointer(address)[granule + 5]);
  EXPECT_EQ(cudaSuccess, memory.unmap(address, 2 * granule));
  EXPECT_EQ(cudaSuccess, memory.free_addresses(address, 2 * granule));
  EXPECT_EQ(cudaSuccess, release_physical_memory(handle));
}

TEST_F(VirtualMemoryTest, MemoryLivesUntilItIsReleasedAndUnmapped) {
  const std::size_t before = memory_info(0).free;
  const std::uintptr_t address = reserve(granule);
  const Handle handle = create(granule);
  EXPECT_EQ(before - granule, memory_info(0).free);
  ASSERT_EQ(cudaSuccess, memory.map(address, granule, 0, handle));
  EXPECT_EQ(cudaSuccess, release_physical_memory(handle));
  EXPECT_EQ(cudaErrorInvalidValue, release_physical_memory(handle));
  EXPECT_TRUE(find_physical_memory(handle).ok());
  Result<Handle> retained = memory.retain_mapped(pointer(address + 5));
  ASSERT_TRUE(retained.ok());
  EXPECT_EQ(handle, *retained);
  EXPECT_EQ(cudaSuccess, memory.unmap(address, granule));
  EXPECT_EQ(before - granule, memory_info(0).free) << "the retained reference holds it";
  EXPECT_EQ(cudaSuccess, release_physical_memory(handle));
  EXPECT_EQ(before, memory_info(0).free);
  EXPECT_FALSE(find_physical_memory(handle).ok());
  EXPECT_FALSE(memory.retain_mapped(pointer(address)).ok());
  EXPECT_EQ(cudaSuccess, memory.free_addresses(address, granule));
}

TEST_F(VirtualMemoryTest, AccessIsSetForWholeMappings) {
  const std::uintptr_t address = reserve(4 * granule);
  map_new(address, granule);
  map_new(address + granule, 2 * granule);
  EXPECT_EQ(cudaErrorInvalidValue, memory.set_access(address, granule - 1, &read_write, 1));
  EXPECT_EQ(cudaErrorInvalidValue, memory.set_access(address, 4 * granule, &read_write, 1));
  EXPECT_EQ(cudaErrorInvalidValue, memory.set_access(address + granule, granule, &read_write, 1));
  EXPECT_EQ(cudaErrorInvalidValue, memory.set_access(address, granule, &read_write, 0));
  EXPECT_EQ(cudaErrorInvalidValue, memory.set_access(address, granule, nullptr, 1));
  cudaMemAccessDesc bad = read_write;
  bad.location.id = 5;
  EXPECT_EQ(cudaErrorInvalidValue, memory.set_access(address, granule, &bad, 1));
  bad.location = {cudaMemLocationTypeHost, 0};
  EXPECT_EQ(cudaErrorNotSupported, memory.set_access(address, granule, &bad, 1));
  bad = device_access(static_cast<cudaMemAccessFlags>(2));
  EXPECT_EQ(cudaErrorInvalidValue, memory.set_access(address, granule, &bad, 1));

  const cudaMemAccessDesc last_counts[] = {read_only, read_write};
  EXPECT_EQ(cudaSuccess, memory.set_access(address, granule, last_counts, 2));
  EXPECT_EQ(cudaMemAccessFlagsProtReadWrite, *memory.access_of(read_write.location, pointer(address + 5)));
  EXPECT_EQ(cudaSuccess, memory.set_access(address, 3 * granule, &no_access, 1));
  EXPECT_EQ(cudaMemAccessFlagsProtNone, *memory.access_of(read_write.location, pointer(address)));
  EXPECT_EQ(Protection::no_access, lookup(pointer(address)).protection);
  EXPECT_EQ(cudaErrorInvalidDevice,
            memory.access_of(bad.location = {cudaMemLocationTypeDevice, 5}, pointer(address)).status());
  EXPECT_EQ(cudaErrorInvalidValue, memory.access_of(read_write.location, pointer(address + 3 * granule)).status());
  EXPECT_EQ(cudaSuccess, memory.unmap(address, 4 * granule));
  EXPECT_EQ(cudaSuccess, memory.free_addresses(address, 4 * granule));
}

// In a child: the write must end it.
TEST_F(VirtualMemoryTest, PagesWithoutTheRightAreProtected) {
  const std::uintptr_t address = reserve(granule);
  map_new(address, granule);
  pointer(address)[0] = 3;
  ASSERT_EQ(cudaSuccess, memory.set_access(address, granule, &read_only, 1));
  EXPECT_EQ(3, pointer(address)[0]);
  EXPECT_DEATH(*const_cast<volatile char*>(pointer(address)) = 1, "");
  ASSERT_EQ(cudaSuccess, memory.unmap(address, granule));
  EXPECT_DEATH(static_cast<void>(*const_cast<volatile char*>(pointer(address))), "");
  EXPECT_EQ(cudaSuccess, memory.free_addresses(address, granule));
}

TEST_F(VirtualMemoryTest, AMappingIsDescribedWithItsReservation) {
  const std::uintptr_t address = reserve(4 * granule);
  map_new(address + granule, 2 * granule);
  const auto found = memory.mapping_around(pointer(address + granule + 5));
  ASSERT_TRUE(found);
  EXPECT_EQ(address, found->reservation);
  EXPECT_EQ(4 * granule, found->reservation_bytes);
  EXPECT_EQ(address + granule, found->base);
  EXPECT_EQ(2 * granule, found->bytes);
  EXPECT_EQ(cudaMemAccessFlagsProtReadWrite, found->access);
  EXPECT_FALSE(memory.mapping_around(pointer(address)));
  EXPECT_EQ(cudaErrorInvalidValue, free_device(pointer(address + granule)));
  EXPECT_EQ(cudaSuccess, memory.unmap(address, 4 * granule));
  EXPECT_EQ(cudaSuccess, memory.free_addresses(address, 4 * granule));
}

TEST_F(VirtualMemoryTest, ExportedMemoryIsImportedByItsDescriptor) {
  const std::uintptr_t address = reserve(2 * granule);
  const Handle handle = create(granule, cudaMemHandleTypePosixFileDescriptor);
  int descriptor = -1;
  ASSERT_EQ(cudaSuccess, export_physical_memory(&descriptor, handle, cudaMemHandleTypePosixFileDescriptor));
  Result<Handle> imported = import_physical_memory(descriptor, cudaMemHandleTypePosixFileDescriptor);
  ASSERT_TRUE(imported.ok());
  EXPECT_FALSE(handle == *imported);
  EXPECT_NE(-1, fcntl(descriptor, F_GETFD)) << "the descriptor stays the user's";
  close(descriptor);
  ASSERT_EQ(cudaSuccess, memory.map(address, granule, 0, handle));
  ASSERT_EQ(cudaSuccess, memory.map(address + granule, granule, 0, *imported));
  ASSERT_EQ(cudaSuccess, memory.set_access(address, 2 * granule, &read_write, 1));
  pointer(address)[9] = 11;
  EXPECT_EQ(11, pointer(address)[granule + 9]);
  EXPECT_EQ(cudaErrorInvalidValue,
            export_physical_memory(&descriptor, *imported, cudaMemHandleTypePosixFileDescriptor));
  EXPECT_EQ(cudaSuccess, memory.unmap(address, 2 * granule));
  EXPECT_EQ(cudaSuccess, memory.free_addresses(address, 2 * granule));
  EXPECT_EQ(cudaSuccess, release_physical_memory(handle));
  EXPECT_EQ(cudaSuccess, release_physical_memory(*imported));
}

TEST_F(VirtualMemoryTest, OtherDescriptorsAreNotImported) {
  int ends[2];
  ASSERT_EQ(0, pipe(ends));
  for (const int bad : {ends[0], -1, 999}) {
    EXPECT_EQ(cudaErrorUnknown, import_physical_memory(bad, cudaMemHandleTypePosixFileDescriptor).status()) << bad;
  }
  close(ends[0]);
  close(ends[1]);
  const Handle handle = create(granule);
  int descriptor = -1;
  EXPECT_EQ(cudaErrorInvalidValue, export_physical_memory(&descriptor, handle, cudaMemHandleTypePosixFileDescriptor));
  EXPECT_EQ(cudaSuccess, release_physical_memory(handle));
}

}  // namespace
}  // namespace reprise_runtime::memory
