// Tables of the members of structs, by which they are written as JSON and read again. Only for record_json.cpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "conformance/files/file_error.h"
#include "conformance/files/limits.h"
#include "conformance/run/record_json.h"

namespace touchstone::conformance::members {

[[noreturn]] inline void fail(std::string_view member, std::string_view what) {
  throw std::runtime_error(fmt::format("{}: {}", member, what));
}

// ---- Codecs. Each converts a value to JSON and back. The member's name is for errors.

/// A string, a number or a bool.
struct Scalar {
  static Json write(const auto& value) { return value; }
  template <class T>
  static void read(const Json& json, const char* name, T& value) {
    const bool has_type = std::is_same_v<T, bool>     ? json.is_boolean()
                          : std::is_same_v<T, double> ? json.is_number()
                          : std::is_integral_v<T>     ? json.is_number_integer()
                                                      : json.is_string();
    if (!has_type) fail(name, "has another type than it should");
    // The library converts numbers as C++ does: -1 would become a large number.
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      const auto in_range = [](auto number) { return std::in_range<T>(number); };
      if (!(json.is_number_unsigned() ? in_range(json.get<std::uint64_t>()) : in_range(json.get<std::int64_t>())))
        fail(name, json.dump() + " is out of range");
    }
    json.get_to(value);
  }
};

struct Count : Scalar {
  static void read(const Json& json, const char* name, std::int64_t& value) {
    Scalar::read(json, name, value);
    if (value < 0) fail(name, fmt::format("{} is not a count", value));
  }
};

/// A value that has a text. `from_text` gives std::nullopt for a text of no value, and `problem` says why, with the
/// text in quotes for {}.
template <class ToText, class FromText>
struct Text {
  const char* problem;
  ToText to_text;
  FromText from_text;

  Json write(const auto& value) const { return to_text(value); }
  void read(const Json& json, const char* name, auto& value) const {
    std::string text;
    Scalar::read(json, name, text);
    auto found = from_text(text);
    if (!found) fail(name, fmt::format(fmt::runtime(problem), in_quotes(text)));
    value = *std::move(found);
  }
};
// The deduction guides of this file are for Clang 16, which deduces no template arguments of aggregates.
template <class ToText, class FromText>
Text(const char*, ToText, FromText) -> Text<ToText, FromText>;

/// A text of which this is true.
constexpr auto text_if(const char* problem, bool (*is_valid)(const std::string&)) {
  return Text{problem, std::identity(),
              [=](const std::string& text) { return is_valid(text) ? std::optional(text) : std::nullopt; }};
}

/// A value of a row, written as the key of the row.
template <class Rows, class Key, class Value>
struct Named {
  const char* kind;
  const Rows& rows;
  Key key;
  Value value_of;

  Json write(const auto& value) const {
    if constexpr (std::is_same_v<Key, Value>) return value;  // it is its own key
    for (const auto& row : rows)
      if (std::invoke(value_of, row) == value) return std::invoke(key, row);
    return nullptr;
  }
  void read(const Json& json, const char* name, auto& value) const {
    std::string text;
    Scalar::read(json, name, text);
    const auto row = std::ranges::find(rows, text, key);
    if (row == std::end(rows)) fail(name, fmt::format("no such {} as {}", kind, in_quotes(text)));
    value = std::invoke(value_of, *row);
  }
};

template <class Rows, class Key, class Value>
Named(const char*, const Rows&, Key, Value) -> Named<Rows, Key, Value>;

/// Integers by name.
struct Integers {
  static Json write(const auto& values) { return values; }
  template <class T>
  static void read(const Json& json, const char* name, std::map<std::string, T>& values) {
    if (!json.is_object()) fail(name, "is not an object");
    for (const auto& [key, value] : json.items()) Scalar::read(value, name, values[key]);
  }
};

/// A vector, or an array.
template <class Item>
struct List {
  Item item;

  Json write(const auto& values) const {
    Json rows = Json::array();
    for (const auto& value : values) rows.push_back(item.write(value));
    return rows;
  }
  template <class Values>
  void read(const Json& json, const char* name, Values& values) const {
    if (!json.is_array()) fail(name, "is not an array");
    if constexpr (requires { values.resize(json.size()); }) values.resize(json.size());
    if (json.size() != values.size()) fail(name, fmt::format("has {} elements, not {}", json.size(), values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) item.read(json[i], name, values[i]);
  }
};
template <class Item>
List(Item) -> List<Item>;

/// A shape, or a position in it.
struct PerDimension : List<Count> {
  template <class Values>
  void read(const Json& json, const char* name, Values& values) const {
    if (json.is_array() && json.size() > limits().rank)
      fail(name, fmt::format("has {} dimensions; the limit is {}", json.size(), limits().rank));
    List<Count>::read(json, name, values);
  }
};

template <class Item>
struct OrNull {
  Item item;

  Json write(const auto& value) const { return value ? item.write(*value) : Json(nullptr); }
  template <class T>
  void read(const Json& json, const char* name, std::optional<T>& value) const {
    if (!json.is_null()) item.read(json, name, value.emplace());
  }
};
template <class Item>
OrNull(Item) -> OrNull<Item>;

// ---- Tables: functions that pass each member of a struct to a writer or a reader, with its name and codec.

/// What a value holds that records may share.
template <class T>
struct Unshared {
  using Type = T;
};
template <class T>
struct Unshared<Shared<T>> {
  using Type = T;
};
template <>
struct Unshared<SharedText> {
  using Type = std::string;
};

/// Makes an object of the members.
class Writer {
 public:
  static constexpr bool reads = false;

  /// A member that is always there.
  template <class T, class Codec = Scalar>
  void operator()(const char* name, const T& value, const Codec& codec = {}) {
    json[name] = codec.write(static_cast<const typename Unshared<T>::Type&>(value));
  }
  /// A member that is absent if it has the value that a new object has.
  template <class T, class Codec = Scalar>
  void optional(const char* name, const T& value, const Codec& codec = {}) {
    if (value != T{}) (*this)(name, value, codec);
  }
  /// A member for readers, which follows from others.
  void derived(const char* name, const auto& text) {
    if (std::string made = text(); !made.empty()) json[name] = std::move(made);
  }
  /// Whether the members that come with this one are there.
  bool has(const char*, bool is_there) const { return is_there; }

  Json json = Json::object();
};

/// Reads the members of an object. Throws an error for a member that is missing, has a wrong value, or is unknown.
class Reader {
 public:
  static constexpr bool reads = true;

  Reader(const Json& json, const char* name) {
    if (!json.is_object()) fail(name, "is not an object");
    members_ = json.get_ptr<const Json::object_t*>();
    is_known_.resize(members_->size());
  }

  template <class Codec = Scalar>
  void operator()(const char* name, auto& value, const Codec& codec = {}) {
    const Json* member = find(name);
    if (member == nullptr) fail(name, "missing");
    read(*member, name, value, codec);
  }
  template <class T, class Codec = Scalar>
  void optional(const char* name, T& value, const Codec& codec = {}) {
    const Json* member = find(name);
    if (member == nullptr) return;
    read(*member, name, value, codec);
    if (value == T{}) fail(name, "has the value of an absent member");
  }
  void derived(const char* name, const auto&) { find(name); }
  bool has(const char* name, bool) const { return members_->find(name) != members_->end(); }

  /// To be called after all known members.
  void refuse_others() const {
    const auto unknown = std::ranges::find(is_known_, false);
    if (unknown != is_known_.end())
      fail(printable((members_->begin() + (unknown - is_known_.begin()))->first, 100), "unknown");
  }

 private:
  template <class T>
  static void read(const Json& member, const char* name, T& value, const auto& codec) {
    if constexpr (std::is_same_v<typename Unshared<T>::Type, T>) {
      codec.read(member, name, value);
    } else {
      typename Unshared<T>::Type own;
      codec.read(member, name, own);
      value = std::move(own);
    }
  }

  const Json* find(const char* name) {
    const auto found = members_->find(name);
    if (found == members_->end()) return nullptr;
    is_known_[static_cast<std::size_t>(found - members_->begin())] = true;
    return &found->second;
  }

  const Json::object_t* members_;
  std::vector<bool> is_known_;
};

/// A struct, as an object with the members of a table.
template <class Table>
struct Object {
  Table table;

  Json write(const auto& value) const {
    Writer io;
    table(io, value);
    return std::move(io.json);
  }
  void read(const Json& json, const char* name, auto& value) const {
    Reader io(json, name);
    table(io, value);
    io.refuse_others();
  }
};
template <class Table>
Object(Table) -> Object<Table>;

}  // namespace touchstone::conformance::members
