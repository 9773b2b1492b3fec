// Peer access. Tests that need a second device are skipped on machines with one; here REPRISE_DEVICES=2 provides two.
#include "support.h"

using PeerAccess = Runtime;

TEST_F(PeerAccess, ADeviceIsNoPeerOfItself) {
  int can = 7;
  ASK(cudaSuccess, cudaDeviceCanAccessPeer(&can, 0, 0));
  ASK_VALUE(0, can);
  ASK(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
  ASK(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
}

TEST_F(PeerAccess, WrongOrdinals) {
  int value = 0;
  ASK(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&value, 0, 4096));
  ASK(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&value, -1, 0));
  ASK(cudaErrorInvalidValue, cudaDeviceCanAccessPeer(nullptr, 0, 0));
  ASK(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(4096, 0));
  ASK(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(-1, 0));
  ASK(cudaErrorInvalidDevice, cudaDeviceDisablePeerAccess(4096));
  ASK(cudaErrorInvalidDevice, cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 4096));
  ASK(cudaErrorInvalidDevice, cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
  ASK(cudaErrorInvalidValue, cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 0));
  ASK(cudaErrorInvalidDevice, cudaDeviceGetP2PAttribute(&value, static_cast<cudaDeviceP2PAttr>(99), 0, 0));
}

TEST_F(PeerAccess, IsEnabledOnceAndDisabledOnce) {
  NEEDS_DEVICES(2);
  int can = 0;
  MUST(cudaDeviceCanAccessPeer(&can, 0, 1));
  if (!can) GTEST_SKIP() << "these devices are no peers";
  ASK(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(1, 1));
  ASK(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
  ASK(cudaSuccess, cudaDeviceEnablePeerAccess(1, 0));
  ASK(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
  ASK(cudaSuccess, cudaDeviceDisablePeerAccess(1));
  ASK(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
}

TEST_F(PeerAccess, CopiesGoFromDeviceToDevice) {
  NEEDS_DEVICES(2);
  DeviceArray<int> here(4);
  MUST(cudaMemset(here.get(), 0x11, here.bytes()));
  MUST(cudaSetDevice(1));
  DeviceArray<int> there(4);
  ASK(cudaSuccess, cudaMemcpyPeer(there.get(), 1, here.get(), 0, here.bytes()));
  ASK_VALUE(0x11111111, there.read()[3]);
}

TEST_F(PeerAccess, EachPointerKnowsItsDevice) {
  NEEDS_DEVICES(2);
  MUST(cudaSetDevice(1));
  DeviceArray<int> there(4);
  MUST(cudaSetDevice(0));
  cudaPointerAttributes attributes{};
  MUST(cudaPointerGetAttributes(&attributes, there.get()));
  ASK_VALUE(1, attributes.device);
}

using MemcpyPeer = Runtime;

TEST_F(MemcpyPeer, WorksWithinOneDevice) {
  DeviceArray<int> from(4), to(4);
  MUST(cudaMemset(from.get(), 0x22, from.bytes()));
  ASK(cudaSuccess, cudaMemcpyPeer(to.get(), 0, from.get(), 0, from.bytes()));
  ASK_VALUE(0x22222222, to.read()[3]);
  ASK(cudaSuccess, cudaMemcpyPeerAsync(to.get(), 0, from.get(), 0, from.bytes(), nullptr));
  ASK(cudaSuccess, cudaDeviceSynchronize());
}

TEST_F(MemcpyPeer, WrongArguments) {
  DeviceArray<int> from(4), to(4);
  std::vector<int> host(4);
  ASK(cudaErrorInvalidDevice, cudaMemcpyPeer(to.get(), 4096, from.get(), 0, 16));
  ASK(cudaErrorInvalidDevice, cudaMemcpyPeer(to.get(), 0, from.get(), -1, 16));
  ASK(cudaErrorInvalidValue, cudaMemcpyPeer(nullptr, 0, from.get(), 0, 16));
  ASK(cudaErrorInvalidValue, cudaMemcpyPeer(to.get(), 0, nullptr, 0, 16));
  ASK(cudaErrorInvalidValue, cudaMemcpyPeer(host.data(), 0, from.get(), 0, 16));
  ASK(cudaErrorInvalidValue, cudaMemcpyPeer(to.get(), 0, from.get(), 0, size_t{1} << 40));
  ASK(cudaSuccess, cudaMemcpyPeer(to.get(), 0, from.get(), 0, 0));
  ASK(cudaSuccess, cudaMemcpyPeer(to.get(), 4096, from.get(), 0, 0));
}

TEST_F(MemcpyPeer, In3DCopiesABox) {
  DeviceArray<unsigned char> from(64), to(64);
  MUST(cudaMemset(from.get(), 7, 64));
  cudaMemcpy3DPeerParms parameters{};
  parameters.srcPtr = make_cudaPitchedPtr(from.get(), 8, 8, 8);
  parameters.dstPtr = make_cudaPitchedPtr(to.get(), 8, 8, 8);
  parameters.extent = make_cudaExtent(4, 2, 1);
  ASK(cudaSuccess, cudaMemcpy3DPeer(&parameters));
  ASK(cudaSuccess, cudaMemcpy3DPeerAsync(&parameters, nullptr));
  const auto bytes = to.read();
  ASK_VALUE(7, int{bytes[3]});
  ASK_VALUE(0, int{bytes[4]});
  ASK_VALUE(7, int{bytes[11]});
  ASK_VALUE(0, int{bytes[16]});
  ASK(cudaErrorInvalidValue, cudaMemcpy3DPeer(nullptr));
  parameters.dstDevice = 4096;
  ASK(cudaErrorInvalidDevice, cudaMemcpy3DPeer(&parameters));
}
