// Texts and lists that many objects have in common.
#pragma once

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace touchstone::conformance {

/// A constant container, of the size of a pointer. Copies share its elements; an empty one takes no more memory.
template <class T>
class Shared {
 public:
  using value_type = typename T::value_type;
  using const_iterator = typename T::const_iterator;

  Shared() = default;
  Shared(std::initializer_list<value_type> elements) : Shared(T(elements)) {}
  template <class Value>
    requires std::convertible_to<Value, T>
  Shared(Value&& value) {
    T container(std::forward<Value>(value));
    if (!container.empty()) shared_ = new Owned(std::move(container));
  }

  const T& operator*() const {
    static const T none{};
    return shared_ != nullptr ? shared_->container : none;
  }
  const T* operator->() const { return &**this; }
  operator const T&() const { return **this; }
  operator std::string_view() const
    requires std::same_as<T, std::string>
  {
    return **this;
  }

  const_iterator begin() const { return (**this).begin(); }
  const_iterator end() const { return (**this).end(); }
  bool empty() const { return shared_ == nullptr; }
  decltype(auto) operator[](std::size_t place) const { return (**this)[place]; }
  decltype(auto) front() const { return (**this).front(); }
  std::size_t size() const { return (**this).size(); }

  friend bool operator==(const Shared& a, const Shared& b) { return a.shared_ == b.shared_ || *a == *b; }
  friend bool operator<(const Shared& a, const Shared& b) { return *a < *b; }

 private:
  struct Owned : boost::intrusive_ref_counter<Owned> {
    explicit Owned(T&& given) : container(std::move(given)) {}
    const T container;
  };

  boost::intrusive_ptr<const Owned> shared_;
};

/// Makes equal containers share their elements.
template <class T>
class Pool {
 public:
  void share(Shared<T>& container) {
    if (!container.empty()) container = *containers_.insert(container).first;
  }

 private:
  std::set<Shared<T>> containers_;
};

}  // namespace touchstone::conformance
