// How much is believed of what comes from outside: every limit in one table, and what the user has made of it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace touchstone::conformance {

/// What each of them bounds says limit_rows.
struct Limits {
  std::uint64_t file_bytes = std::uint64_t{64} << 20;
  std::uint64_t fields_per_message = std::uint64_t{1} << 18;
  std::uint64_t nesting = 32;
  std::uint64_t members_per_object = 64;
  std::uint64_t string_bytes = std::uint64_t{16} << 20;
  std::uint64_t rank = 32;
  std::uint64_t elements_per_case = std::uint64_t{1} << 26;
  std::uint64_t data_bytes_per_case = std::uint64_t{256} << 20;
  std::uint64_t nodes_per_model = 64;
  std::uint64_t inputs_per_node = 16;
  std::uint64_t data_sets_per_case = 1000;
  std::uint64_t files_per_data_set = 64;
  std::uint64_t hello_bytes = std::uint64_t{1} << 20;
  std::uint64_t message_bytes = std::uint64_t{1} << 30;
  std::uint64_t answer_text_bytes = std::uint64_t{64} << 10;
  std::uint64_t manifest_bytes = std::uint64_t{1} << 30;
  std::uint64_t expectations = 10'000;
  std::uint64_t journal_line_bytes = std::uint64_t{16} << 20;
  std::uint64_t journal_bytes = std::uint64_t{4} << 30;
  std::uint64_t reason_bytes = std::uint64_t{4} << 10;
  std::uint64_t output_bytes = std::uint64_t{64} << 10;
  std::uint64_t output_bytes_per_run = std::uint64_t{8} << 20;
};

struct LimitRow {
  std::string_view name;
  std::uint64_t Limits::*value;
  std::uint64_t most;  ///< that it may be set to; the least is 1
  std::string_view unit;
  std::string_view bounds;
};

namespace most {

inline constexpr std::uint64_t of_protobuf = (std::uint64_t{1} << 31) - 1;  // it counts bytes in int
inline constexpr std::uint64_t of_recursion = 90;                           // at 100, protobuf's parser gives up
inline constexpr std::uint64_t of_memory = std::uint64_t{1} << 40;
inline constexpr std::uint64_t of_counts = std::uint64_t{1} << 30;

}  // namespace most

// clang-format off
inline constexpr std::array limit_rows{
    // A packed list of small integers takes a byte each in the file, and eight each in the message and in the tensor.
    LimitRow{"file_bytes", &Limits::file_bytes, most::of_protobuf, "bytes", "a model, a tensor, an expectation file, a note next to them"},
    // An empty nested message takes two bytes of a file and hundreds of memory, so its size alone bounds nothing.
    LimitRow{"fields_per_message", &Limits::fields_per_message, most::of_counts, "fields", "a protobuf message with those nested in it; a packed list is one"},
    LimitRow{"nesting", &Limits::nesting, most::of_recursion, "levels", "messages within messages, and JSON within JSON"},
    LimitRow{"members_per_object", &Limits::members_per_object, most::of_counts, "members", "an object in JSON; the record of a case has 22"},
    LimitRow{"string_bytes", &Limits::string_bytes, most::of_protobuf, "bytes", "a string in a model or in a worker's message: a name, an attribute, a refusal"},
    LimitRow{"rank", &Limits::rank, 1024, "dimensions", "a tensor"},
    // A byte may have four elements, each with a cost.
    LimitRow{"elements_per_case", &Limits::elements_per_case, most::of_memory, "elements", "inputs, outputs and constants of a case, for each data set; the answers to it in a pack"},
    LimitRow{"data_bytes_per_case", &Limits::data_bytes_per_case, most::of_memory, "bytes", "the same"},
    LimitRow{"nodes_per_model", &Limits::nodes_per_model, most::of_counts, "nodes", "a model: the operator and its constants"},
    LimitRow{"inputs_per_node", &Limits::inputs_per_node, most::of_counts, "inputs", "a node"},
    LimitRow{"data_sets_per_case", &Limits::data_sets_per_case, most::of_counts, "directories", "test_data_set_N of a case"},
    LimitRow{"files_per_data_set", &Limits::files_per_data_set, most::of_counts, "files", "input_N.pb of a data set, and output_N.pb; outputs of a library"},
    LimitRow{"hello_bytes", &Limits::hello_bytes, most::of_protobuf, "bytes", "the first message of a worker"},
    LimitRow{"message_bytes", &Limits::message_bytes, most::of_protobuf, "bytes", "any other message, to a worker or from it; an output of a library"},
    LimitRow{"answer_text_bytes", &Limits::answer_text_bytes, most::of_protobuf, "bytes", "refused.txt and backend.txt among the answers to a pack"},
    LimitRow{"manifest_bytes", &Limits::manifest_bytes, most::of_memory, "bytes", "manifest.json of a pack; that of the tier standard has 70 MB"},
    // Each pattern is matched with the ids of all cases that no earlier one matches.
    LimitRow{"expectations", &Limits::expectations, most::of_counts, "patterns", "an expectation file; those of an entry have colons between them"},
    LimitRow{"journal_line_bytes", &Limits::journal_line_bytes, most::of_memory, "bytes", "a line of a journal"},
    LimitRow{"journal_bytes", &Limits::journal_bytes, most::of_memory, "bytes", "a journal"},
    LimitRow{"reason_bytes", &Limits::reason_bytes, most::of_memory, "bytes", "what is kept of a reason, a refusal say: its beginning and its end"},
    LimitRow{"output_bytes", &Limits::output_bytes, most::of_memory, "bytes", "what is kept of what a worker prints at a case: the end"},
    LimitRow{"output_bytes_per_run", &Limits::output_bytes_per_run, most::of_memory, "bytes", "the same of all cases; when it is used up, 1 KiB of each"},
};
// clang-format on

inline constexpr const char* limits_variable = "TOUCHSTONE_LIMITS";

/// Those in force.
const Limits& limits();

/// "file_bytes=268435456,rank=8": these have other values than their defaults. Throws std::invalid_argument, and
/// changes nothing: another name, or no value from 1 to its most. Not while other threads run.
void set_limits(std::string_view text);

/// A table for people: names, values in force, units, and what they bound.
std::string limits_text();

}  // namespace touchstone::conformance
