#include "conformance/files/test_directory.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "conformance/files/case_size.h"
#include "conformance/files/file_io.h"
#include "conformance/files/limits.h"
#include "conformance/files/message.h"

namespace touchstone::conformance {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view model_name = "model.onnx";
constexpr std::string_view data_set_prefix = "test_data_set_";

/// The entries in no particular order. Throws FileError if the directory cannot be read.
std::vector<fs::directory_entry> entries_of(const fs::path& directory) {
  std::vector<fs::directory_entry> entries;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    entries.push_back(*entry);
  if (error) throw FileError(directory.string(), "cannot be read as a directory: " + error.message());
  return entries;
}

/// N in "<prefix>N<suffix>"; nothing for a name without this prefix and suffix.
/// Throws FileError if the text between them is not a plain decimal number.
std::optional<int> number_in(const fs::path& path, std::string_view prefix, std::string_view suffix) {
  const std::string name = path.filename().string();
  if (!name.starts_with(prefix) || !name.ends_with(suffix) || name.size() < prefix.size() + suffix.size())
    return std::nullopt;
  const std::string_view digits =
      std::string_view(name).substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  int number = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || std::to_string(number) != digits || number < 0)
    throw FileError(path.string(), "no number between " + in_quotes(prefix) + " and " + in_quotes(suffix));
  return number;
}

std::string numbered(std::string_view prefix, std::size_t number, std::string_view suffix) {
  return std::string(prefix) + std::to_string(number) + std::string(suffix);
}

/// The numbers of the entries "<prefix>N<suffix>".
std::set<int> numbers_in(const fs::path& directory, std::string_view prefix, std::string_view suffix,
                         std::uint64_t limit) {
  std::set<int> numbers;
  for (const fs::directory_entry& entry : entries_of(directory))
    if (const auto number = number_in(entry.path(), prefix, suffix)) numbers.insert(*number);
  if (numbers.size() > limit)
    throw FileError(directory.string(), std::to_string(numbers.size()) + " entries " + std::string(prefix) + "*" +
                                            std::string(suffix) + "; the limit is " + std::to_string(limit));
  return numbers;
}

class DataReader {
 public:
  DataReader(const fs::path& directory, const OperatorModel& model) : directory_(directory), model_(model) {}

  std::vector<DataSet> read() {
    const std::set<int> numbers = numbers_in(directory_, data_set_prefix, "", limits().data_sets_per_case);
    if (numbers.empty()) throw FileError(directory_.string(), "no test_data_set_0");
    std::vector<DataSet> sets;
    for (const int number : numbers) {
      const fs::path expected = directory_ / data_set_name(sets.size());
      if (static_cast<std::size_t>(number) != sets.size())
        throw FileError(expected.string(), "missing, though there is test_data_set_" + std::to_string(number));
      sets.push_back({read_tensors(expected, "input_", model_.graph_inputs, "graph input"), {}});
      if (!fs::exists(expected / must_reject_name))
        sets.back().expected = read_tensors(expected, "output_", model_.graph_outputs, "graph output");
      if (fs::exists(expected / repeats_name)) sets.back().repeats = repeated(expected / repeats_name, sets);
      add_copies(sets.back());
    }
    return sets;
  }

 private:
  /// Counts the operands of the node that are not in the data set: constants, and further uses of the same input.
  void add_copies(const DataSet& set) {
    for (std::size_t i = 0; i < model_.node_inputs.size(); ++i) {
      const auto earlier = model_.node_inputs.begin() + static_cast<std::ptrdiff_t>(i);
      if (const auto& constant = model_.node.inputs[i])
        size_.add(*constant, directory_.string());
      else if (std::find(model_.node_inputs.begin(), earlier, *earlier) != earlier)
        for (const NamedTensor& input : set.inputs)
          if (input.name == *earlier) size_.add(input.value, directory_.string());
    }
  }

  /// The number of the earlier data set that, according to this file, has the same inputs as the last one.
  static std::size_t repeated(const fs::path& path, const std::vector<DataSet>& sets) {
    const std::string text = read_bounded_file(path, limits().file_bytes);
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view rest(end, text.data() + text.size());
    if (error != std::errc() || (!rest.empty() && rest.front() != '\n') || number >= sets.size() - 1)
      throw FileError(path.string(), "its first line is not the number of an earlier data set");
    const auto same = [](const NamedTensor& a, const NamedTensor& b) {
      return a.value.type() == b.value.type() && a.value.shape() == b.value.shape() &&
             std::ranges::equal(a.value.bytes(), b.value.bytes());
    };
    if (!std::ranges::equal(sets[number].inputs, sets.back().inputs, same))
      throw FileError(path.string(), "the inputs are not those of " + data_set_name(number));
    return number;
  }

  std::vector<NamedTensor> read_tensors(const fs::path& set, std::string_view prefix,
                                        const std::vector<std::string>& names, const std::string& what) {
    constexpr std::string_view suffix = ".pb";
    const std::set<int> numbers = numbers_in(set, prefix, suffix, limits().files_per_data_set);
    std::vector<NamedTensor> tensors;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const fs::path path = set / numbered(prefix, i, suffix);
      if (!numbers.contains(static_cast<int>(i)))
        throw FileError(path.string(), "missing: the data of the " + what + " " + in_quotes(names[i]));
      tensors.push_back(read_tensor(path, i, names, what));
    }
    if (!numbers.empty() && static_cast<std::size_t>(*numbers.rbegin()) >= names.size())
      throw FileError((set / numbered(prefix, static_cast<std::size_t>(*numbers.rbegin()), suffix)).string(),
                      "an extra file: the model has " + std::to_string(names.size()) + " " + what + "s");
    return tensors;
  }

  /// Assigns files by number, like ONNX's own runner, because names in some of ONNX's files differ from the graph.
  /// Only the name of another input is an error, because it shows that files were swapped.
  NamedTensor read_tensor(const fs::path& path, std::size_t number, const std::vector<std::string>& names,
                          const std::string& what) {
    NamedTensor tensor = read_tensor_file(path);
    if (tensor.name != names[number] && std::find(names.begin(), names.end(), tensor.name) != names.end())
      throw FileError(path.string(), "named " + in_quotes(tensor.name) + ", but the " + what + " of this number is " +
                                         in_quotes(names[number]));
    tensor.name = names[number];
    size_.add(tensor.value, directory_.string());
    return tensor;
  }

  const fs::path& directory_;
  const OperatorModel& model_;
  CaseSize size_;
};

/// Clears the padding bits of a tensor of a 6-bit type. Returns whether any were set.
bool clear_float6_padding(onnx::TensorProto& tensor) {
  if (tensor.data_type() != onnx::TensorProto::FLOAT6E2M3 && tensor.data_type() != onnx::TensorProto::FLOAT6E3M2)
    return false;
  bool found = false;
  const auto keep = [&](auto value, int bits) {
    const auto kept = static_cast<decltype(value)>(value & ((1 << bits) - 1));
    found = found || kept != value;
    return kept;
  };
  for (std::int32_t& entry : *tensor.mutable_int32_data()) entry = keep(entry, 6);
  const std::vector<std::int64_t> shape(tensor.dims().begin(), tensor.dims().end());
  const auto size = reference::element_count(shape);
  if (!size || tensor.raw_data().empty()) return found;
  const auto used_bits = static_cast<int>(*size % 8 * 6 % 8);
  auto& last = tensor.mutable_raw_data()->back();
  if (used_bits != 0) last = static_cast<char>(keep(static_cast<unsigned char>(last), used_bits));
  return found;
}

/// Like read_model_file, but the padding bits of 6-bit types must be set; they do not affect the node.
OperatorModel read_model_with_float6_padding(const fs::path& path) {
  std::string bytes = read_bounded_file(path, limits().file_bytes);
  onnx::ModelProto proto;
  parse_message(proto, bytes, path.string());
  bool found = false;
  for (onnx::TensorProto& tensor : *proto.mutable_graph()->mutable_initializer())
    found = clear_float6_padding(tensor) || found;
  for (onnx::NodeProto& node : *proto.mutable_graph()->mutable_node())
    for (onnx::AttributeProto& attribute : *node.mutable_attribute())
      if (attribute.has_t()) found = clear_float6_padding(*attribute.mutable_t()) || found;
  if (!found)
    throw FileError(path.string(), "no padding bits of a 6-bit type are set, for which " +
                                       std::string(must_reject_name) + " says that it must be rejected");
  OperatorModel model = parse_model(proto.SerializeAsString(), path.string());
  model.bytes = std::move(bytes);
  return model;
}

/// The number of inputs of the first data set.
std::size_t given_inputs(const fs::path& directory) {
  const fs::path first = directory / data_set_name(0);
  if (!fs::is_directory(first)) return 0;  // reported later
  return numbers_in(first, "input_", ".pb", limits().files_per_data_set).size();
}

bool must_reject_float6_padding(const fs::path& directory) {
  const fs::path reason = directory / data_set_name(0) / must_reject_name;
  return fs::exists(reason) &&
         read_bounded_file(reason, limits().file_bytes).starts_with(std::string(float6_padding_clause) + ":");
}

/// True even if the model or the data is missing, so that this is reported and not overlooked.
bool belongs_to_test(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  return name == model_name || name.starts_with(data_set_prefix);
}

/// Throws FileError for a symbolic link in the directory that leads out of `root`, or nowhere.
void check_links_in(const fs::path& directory, const fs::path& root) {
  std::error_code error;
  const fs::path real_root = fs::canonical(root, error);
  for (const fs::directory_entry& entry : entries_of(directory)) {
    if (!entry.is_symlink(error)) continue;
    const fs::path target = fs::canonical(entry.path(), error);
    if (error) throw FileError(entry.path().string(), "a symbolic link that leads nowhere: " + error.message());
    if (*target.lexically_relative(real_root).begin() == "..")
      throw FileError(entry.path().string(), "a symbolic link that leads out of " + in_quotes(root.string()) + ", to " +
                                                 in_quotes(target.string()) + "; --follow-symlinks permits this");
  }
}

/// The same for all files of a test.
void check_links(const fs::path& test, const fs::path& root) {
  check_links_in(test, root);
  std::error_code error;
  for (const fs::directory_entry& entry : entries_of(test))
    if (entry.path().filename().string().starts_with(data_set_prefix) && entry.is_directory(error))
      check_links_in(entry.path(), root);
}

}  // namespace

std::string data_set_name(std::size_t number) { return numbered(data_set_prefix, number, ""); }

std::vector<fs::path> find_test_directories(const fs::path& root) {
  std::vector<fs::path> directories;
  std::vector<fs::path> to_visit;
  const auto visit = [&](const fs::path& directory) {
    const std::vector<fs::directory_entry> entries = entries_of(directory);
    if (std::any_of(entries.begin(), entries.end(), belongs_to_test)) directories.push_back(directory);
    for (const fs::directory_entry& entry : entries) {
      // Entries that cannot be examined are visited too: the visit reports the reason.
      std::error_code error;
      if (!entry.is_symlink(error) && (entry.is_directory(error) || error)) to_visit.push_back(entry.path());
    }
  };
  visit(root);
  while (!to_visit.empty()) {
    const fs::path directory = std::move(to_visit.back());
    to_visit.pop_back();
    try {
      visit(directory);
    } catch (const FileError&) {
      directories.push_back(directory);  // reading it fails again and reports the reason
    }
  }
  std::sort(directories.begin(), directories.end());
  return directories;
}

Case read_test_directory(const fs::path& directory, std::string id, const fs::path& root) {
  if (!root.empty()) check_links(directory, root);
  const fs::path model_path = directory / model_name;
  const std::vector<fs::directory_entry> entries = entries_of(directory);
  if (std::none_of(entries.begin(), entries.end(), [&](const auto& entry) { return entry.path() == model_path; }))
    throw FileError(model_path.string(), "missing");
  const bool padding_is_set = must_reject_float6_padding(directory);
  OperatorModel model = padding_is_set ? read_model_with_float6_padding(model_path)
                                       : read_model_file(model_path, given_inputs(directory));
  std::vector<DataSet> sets = DataReader(directory, model).read();
  return {.id = std::move(id),
          .model = std::move(model),
          .data_sets = std::move(sets),
          .float6_padding_is_set = padding_is_set};
}

}  // namespace touchstone::conformance
