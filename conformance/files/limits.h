// The limits for untrusted input, in one table, with their defaults and the values that the user sets.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace touchstone::conformance {

/// limit_rows says what each limit bounds.
struct Limits {
  std::uint64_t file_bytes = std::uint64_t{64} << 20;
  std::uint64_t user_model_bytes = (std::uint64_t{1} << 31) - 1;
  std::uint64_t fields_per_message = std::uint64_t{1} << 18;
  std::uint64_t nesting = 32;
  std::uint64_t members_per_object = 64;
  std::uint64_t json_values = std::uint64_t{1} << 18;
  std::uint64_t string_bytes = std::uint64_t{16} << 20;
  std::uint64_t rank = 32;
  std::uint64_t elements_per_case = std::uint64_t{1} << 26;
  std::uint64_t data_bytes_per_case = std::uint64_t{256} << 20;
  std::uint64_t nodes_per_model = 4096;
  std::uint64_t inputs_per_node = 16;
  std::uint64_t graph_elements = std::uint64_t{1} << 23;
  std::uint64_t graph_weights = std::uint64_t{1} << 27;
  std::uint64_t graph_terms = std::uint64_t{1} << 32;
  std::uint64_t data_sets_per_case = 1000;
  std::uint64_t files_per_data_set = 64;
  std::uint64_t hello_bytes = std::uint64_t{1} << 20;
  std::uint64_t message_bytes = std::uint64_t{1} << 30;
  std::uint64_t answer_text_bytes = std::uint64_t{64} << 10;
  std::uint64_t manifest_bytes = std::uint64_t{1} << 30;
  std::uint64_t filter_patterns = 10'000;
  std::uint64_t expectations = 10'000;
  std::uint64_t line_bytes = std::uint64_t{16} << 20;
  std::uint64_t journal_bytes = std::uint64_t{4} << 30;
  std::uint64_t reason_bytes = std::uint64_t{4} << 10;
  std::uint64_t reason_bytes_per_run = std::uint64_t{32} << 20;
  std::uint64_t output_bytes = std::uint64_t{64} << 10;
  std::uint64_t output_bytes_per_run = std::uint64_t{8} << 20;
};

struct LimitRow {
  std::string_view name;
  std::uint64_t Limits::*value;
  std::uint64_t most;  ///< the maximum that it can be set to; the minimum is 1
  std::string_view unit;
  std::string_view bounds;
};

namespace most {

inline constexpr std::uint64_t of_protobuf = (std::uint64_t{1} << 31) - 1;  // protobuf counts bytes in int
inline constexpr std::uint64_t of_recursion = 90;                           // protobuf's parser stops at 100
inline constexpr std::uint64_t of_memory = std::uint64_t{1} << 40;
inline constexpr std::uint64_t of_counts = std::uint64_t{1} << 30;

}  // namespace most

// clang-format off
inline constexpr std::array limit_rows{
    // A small integer in a packed list takes one byte in the file, and eight each in the message and in the tensor.
    LimitRow{"file_bytes", &Limits::file_bytes, most::of_protobuf, "bytes", "a model, a tensor, an expectation file, a text file of a test"},
    LimitRow{"user_model_bytes", &Limits::user_model_bytes, most::of_protobuf, "bytes", "the model of touchstone check, without external data; file_bytes bounds each part of it"},
    // An empty nested message takes two bytes in a file and hundreds in memory, so file_bytes does not bound memory.
    LimitRow{"fields_per_message", &Limits::fields_per_message, most::of_counts, "fields", "a protobuf message, including nested messages; each byte of a packed list counts, unless it is tensor data"},
    LimitRow{"nesting", &Limits::nesting, most::of_recursion, "levels", "nested messages, and nested JSON"},
    LimitRow{"members_per_object", &Limits::members_per_object, most::of_counts, "members", "a JSON object; the record of a case has 22"},
    // An empty array takes three bytes in a text and fifty in memory.
    LimitRow{"json_values", &Limits::json_values, most::of_counts, "values", "an expectation file, a line of a journal or of the manifest of a pack"},
    LimitRow{"string_bytes", &Limits::string_bytes, most::of_protobuf, "bytes", "a string in a model or in a worker's message: a name, an attribute, a refusal"},
    LimitRow{"rank", &Limits::rank, 1024, "dimensions", "a tensor"},
    // A byte can hold four elements, and each of them costs time.
    LimitRow{"elements_per_case", &Limits::elements_per_case, most::of_memory, "elements", "inputs, outputs and constants of a case, counted for each data set; the answers to it in a pack"},
    LimitRow{"data_bytes_per_case", &Limits::data_bytes_per_case, most::of_memory, "bytes", "the same"},
    LimitRow{"nodes_per_model", &Limits::nodes_per_model, most::of_counts, "nodes", "a model, with its branches and functions"},
    LimitRow{"inputs_per_node", &Limits::inputs_per_node, most::of_counts, "inputs", "a node"},
    // An element takes about 40 bytes while the graph is interpreted, and a thousand million terms take some seconds.
    LimitRow{"graph_elements", &Limits::graph_elements, most::of_counts, "elements", "all values that the nodes of a graph compute for a data set, but for dequantized constants"},
    // Such an element takes about 5 bytes until its last use, and a hundred million take some seconds.
    LimitRow{"graph_weights", &Limits::graph_weights, most::of_counts, "elements", "all constants that the nodes of a graph dequantize for a data set; one of more than graph_elements must be the second operand of MatMul or Gemm"},
    LimitRow{"graph_terms", &Limits::graph_terms, most::of_memory, "terms", "all sums of a node of a graph for a data set"},
    LimitRow{"data_sets_per_case", &Limits::data_sets_per_case, most::of_counts, "directories", "test_data_set_N of a case"},
    LimitRow{"files_per_data_set", &Limits::files_per_data_set, most::of_counts, "files", "input_N.pb of a data set, and output_N.pb; outputs of a library"},
    LimitRow{"hello_bytes", &Limits::hello_bytes, most::of_protobuf, "bytes", "the first message of a worker"},
    LimitRow{"message_bytes", &Limits::message_bytes, most::of_protobuf, "bytes", "any other message, to a worker or from it; an output of a library"},
    LimitRow{"answer_text_bytes", &Limits::answer_text_bytes, most::of_protobuf, "bytes", "refused.txt and backend.txt among the answers to a pack"},
    LimitRow{"manifest_bytes", &Limits::manifest_bytes, most::of_memory, "bytes", "manifest.json of a pack; 70 MB for the tier standard"},
    // Each pattern is compared with the ids of all cases that no earlier pattern matches.
    LimitRow{"filter_patterns", &Limits::filter_patterns, most::of_counts, "patterns", "a filter: --filter, --require, the filter in a journal or in the manifest of a pack"},
    LimitRow{"expectations", &Limits::expectations, most::of_counts, "patterns", "an expectation file; an entry can have several, separated by colons"},
    LimitRow{"line_bytes", &Limits::line_bytes, most::of_memory, "bytes", "a line of a journal, or of the manifest of a pack"},
    LimitRow{"journal_bytes", &Limits::journal_bytes, most::of_memory, "bytes", "the lines of a journal"},
    LimitRow{"reason_bytes", &Limits::reason_bytes, most::of_memory, "bytes", "the kept part of a reason, such as a refusal: its beginning and its end"},
    LimitRow{"reason_bytes_per_run", &Limits::reason_bytes_per_run, most::of_memory, "bytes", "the same for all cases together; then 256 bytes for each further case, and after half as much again only the size of a longer one"},
    LimitRow{"output_bytes", &Limits::output_bytes, most::of_memory, "bytes", "the kept part of a worker's output for a case: its end"},
    LimitRow{"output_bytes_per_run", &Limits::output_bytes_per_run, most::of_memory, "bytes", "the same for all cases together; then 1 KiB for each further case"},
};
// clang-format on

inline constexpr const char* limits_variable = "TOUCHSTONE_LIMITS";

/// The current limits.
const Limits& limits();

/// Sets limits from a text such as "file_bytes=268435456,rank=8". For an unknown name or a value out of range, throws
/// std::invalid_argument and changes nothing. Not thread-safe.
void set_limits(std::string_view text);

/// The limits that differ from the defaults, by name, except those on reading journals, which do not affect verdicts.
std::map<std::string, std::uint64_t> changed_limits();

/// A table for people: names, current values, units, and what they bound.
std::string limits_text();

}  // namespace touchstone::conformance
