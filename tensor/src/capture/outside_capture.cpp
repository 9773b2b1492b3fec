#include <reprise/error.h>
#include <reprise/outside_capture.h>

#include <optional>

#include "capture/capture_context.h"

namespace reprise {

struct OutsideCapture::Outside {
  explicit Outside(std::shared_ptr<CaptureContext> of) : context(std::move(of)), guard(stream.get()) {}

  std::shared_ptr<CaptureContext> context;
  Stream stream;
  StreamGuard guard;
};

OutsideCapture::OutsideCapture() {
  if (auto context = capture_context_of(current_stream())) {
    outside_ = std::make_unique<Outside>(std::move(context));
    outside_->context->wait_for_prior_work(outside_->stream);
  }
}

OutsideCapture::~OutsideCapture() {
  if (!outside_) return;
  Event done;
  outside_->stream.record(done);
  outside_->context->add_outside(std::move(done));
}

namespace {

void CUDART_CB call(void* function) { (*static_cast<std::function<void()>*>(function))(); }

void CUDART_CB call_and_delete(void* function) {
  call(function);
  delete static_cast<std::function<void()>*>(function);
}

}  // namespace

void host_function(std::function<void()> function) {
  StreamRef stream = current_stream();
  if (auto context = capture_context_of(stream)) {
    auto kept = std::make_shared<std::function<void()>>(std::move(function));
    context->keep_alive(kept);
    check_cuda(cudaLaunchHostFunc(stream, call, kept.get()), "capturing a host function");
    return;
  }
  check(!is_capturing(stream),
        "host_function: the current stream is captured by cudaStreamBeginCapture, not by a CUDAGraph");
  auto owned = std::make_unique<std::function<void()>>(std::move(function));
  check_cuda(cudaLaunchHostFunc(stream, call_and_delete, owned.get()), "submitting a host function");
  owned.release();
}

void keep_with_graph(std::shared_ptr<const void> object) {
  if (auto context = capture_context_of(current_stream())) context->keep_alive(std::move(object));
}

}  // namespace reprise
