// Texts and lists that many objects have in common.
#pragma once

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <new>
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

/// A constant text, of the size of a pointer, in one piece of memory with its length. Copies share it; an empty one
/// takes no more memory.
class SharedText {
 public:
  SharedText() = default;
  template <class Text>
    requires std::convertible_to<const Text&, std::string_view>
  SharedText(const Text& text) {
    if (const std::string_view view = text; !view.empty()) shared_ = new (view.size()) Owned(view);
  }

  std::string_view operator*() const { return shared_ != nullptr ? shared_->text() : std::string_view(); }
  auto operator->() const {
    struct View {
      std::string_view text;
      const std::string_view* operator->() const { return &text; }
    };
    return View{**this};
  }
  operator std::string_view() const { return **this; }
  operator std::string() const { return std::string(**this); }
  bool empty() const { return shared_ == nullptr; }
  std::size_t size() const { return (**this).size(); }

  friend bool operator==(const SharedText& a, const SharedText& b) { return a.shared_ == b.shared_ || *a == *b; }
  friend auto operator<=>(const SharedText& a, const SharedText& b) { return *a <=> *b; }

 private:
  /// The text follows the object.
  class Owned : public boost::intrusive_ref_counter<Owned> {
   public:
    explicit Owned(std::string_view text) : size_(static_cast<std::uint32_t>(text.size())) {
      std::memcpy(static_cast<void*>(this + 1), text.data(), text.size());
    }
    std::string_view text() const { return {reinterpret_cast<const char*>(this + 1), size_}; }

    static void* operator new(std::size_t size, std::size_t text_size) { return ::operator new(size + text_size); }
    static void operator delete(void* place) { ::operator delete(place); }
    static void operator delete(void* place, std::size_t) { ::operator delete(place); }

   private:
    std::uint32_t size_;
  };

  boost::intrusive_ptr<const Owned> shared_;
};

/// Makes equal containers or texts share their memory.
template <class T>
class Pool {
 public:
  void share(T& one) {
    if (!one.empty()) one = *all_.insert(one).first;
  }

 private:
  std::set<T> all_;
};

}  // namespace touchstone::conformance
