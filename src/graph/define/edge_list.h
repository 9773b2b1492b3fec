// The edges into or out of a node. A single edge, the most common case, is stored inline without an allocation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "graph/define/edge.h"

namespace reprise_runtime::graph {

class EdgeList {
 public:
  EdgeList() = default;
  EdgeList(EdgeList&& other) noexcept { *this = std::move(other); }
  EdgeList& operator=(EdgeList&& other) noexcept {
    inside_ = other.inside_;
    outside_ = std::move(other.outside_);
    size_ = std::exchange(other.size_, 0);
    room_ = std::exchange(other.room_, 1);
    return *this;
  }

  Edge* begin() { return outside_ ? outside_.get() : &inside_; }
  Edge* end() { return begin() + size_; }
  const Edge* begin() const { return outside_ ? outside_.get() : &inside_; }
  const Edge* end() const { return begin() + size_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Edge& operator[](size_t i) { return begin()[i]; }
  const Edge& operator[](size_t i) const { return begin()[i]; }
  const Edge& back() const { return end()[-1]; }

  void reserve(size_t count) {
    if (count > room_) move_to(count);
  }
  void push_back(const Edge& edge) {
    const Edge added = edge;
    if (size_ == room_) move_to(size_t{2} * room_ + 2);
    begin()[size_++] = added;
  }
  // Keeps the order of the other edges.
  void erase(Edge* edge) {
    std::copy(edge + 1, end(), edge);
    --size_;
  }
  void clear() { *this = EdgeList(); }

 private:
  void move_to(size_t room) {
    std::unique_ptr<Edge[]> larger(new Edge[room]);
    std::copy(begin(), end(), larger.get());
    outside_ = std::move(larger);
    room_ = static_cast<uint32_t>(room);
  }

  std::unique_ptr<Edge[]> outside_;  // null while inside_ is used
  uint32_t size_ = 0, room_ = 1;
  Edge inside_ = {};
};

}  // namespace reprise_runtime::graph
