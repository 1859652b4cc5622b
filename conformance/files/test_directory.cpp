#include "conformance/files/test_directory.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "conformance/files/limits.h"

namespace touchstone::conformance {

namespace {

namespace fs = std::filesystem;

/// In no particular order. Throws FileError where the directory cannot be read.
std::vector<fs::directory_entry> entries_of(const fs::path& directory) {
  std::vector<fs::directory_entry> entries;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    entries.push_back(*entry);
  if (error) throw FileError(directory.string(), "cannot be read as a directory: " + error.message());
  return entries;
}

/// N of "<prefix>N<suffix>"; nothing for a name that does not start and end so.
/// Throws FileError for one that does, but has no plain decimal number between.
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
std::set<int> numbers_in(const fs::path& directory, std::string_view prefix, std::string_view suffix, int limit) {
  std::set<int> numbers;
  for (const fs::directory_entry& entry : entries_of(directory))
    if (const auto number = number_in(entry.path(), prefix, suffix)) numbers.insert(*number);
  if (numbers.size() > static_cast<std::size_t>(limit))
    throw FileError(directory.string(), std::to_string(numbers.size()) + " entries " + std::string(prefix) + "*" +
                                            std::string(suffix) + "; the limit is " + std::to_string(limit));
  return numbers;
}

class DataReader {
 public:
  DataReader(const fs::path& directory, const OperatorModel& model) : directory_(directory), model_(model) {}

  std::vector<DataSet> read() {
    constexpr std::string_view prefix = "test_data_set_";
    const std::set<int> numbers = numbers_in(directory_, prefix, "", limits::data_sets_per_case);
    if (numbers.empty()) throw FileError(directory_.string(), "no test_data_set_0");
    std::vector<DataSet> sets;
    for (const int number : numbers) {
      const fs::path expected = directory_ / numbered(prefix, sets.size(), "");
      if (static_cast<std::size_t>(number) != sets.size())
        throw FileError(expected.string(), "missing, though there is test_data_set_" + std::to_string(number));
      sets.push_back({read_tensors(expected, "input_", model_.graph_inputs, "graph input"),
                      read_tensors(expected, "output_", model_.graph_outputs, "graph output")});
    }
    return sets;
  }

 private:
  std::vector<NamedTensor> read_tensors(const fs::path& set, std::string_view prefix,
                                        const std::vector<std::string>& names, const std::string& what) {
    constexpr std::string_view suffix = ".pb";
    const std::set<int> numbers = numbers_in(set, prefix, suffix, limits::files_per_data_set);
    std::vector<NamedTensor> tensors;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const fs::path path = set / numbered(prefix, i, suffix);
      if (!numbers.contains(static_cast<int>(i)))
        throw FileError(path.string(), "missing: the data of the " + what + " " + in_quotes(names[i]));
      tensors.push_back(read_tensor(path, i, names, what));
    }
    if (!numbers.empty() && static_cast<std::size_t>(*numbers.rbegin()) >= names.size())
      throw FileError((set / numbered(prefix, static_cast<std::size_t>(*numbers.rbegin()), suffix)).string(),
                      "one too many: the model has " + std::to_string(names.size()) + " " + what + "s");
    return tensors;
  }

  /// By number, as ONNX's own runner does it: the names in some of ONNX's files are not those of the graph. Only the
  /// name of another input shows that files were exchanged.
  NamedTensor read_tensor(const fs::path& path, std::size_t number, const std::vector<std::string>& names,
                          const std::string& what) {
    NamedTensor tensor = read_tensor_file(path);
    if (tensor.name != names[number] && std::find(names.begin(), names.end(), tensor.name) != names.end())
      throw FileError(path.string(), "named " + in_quotes(tensor.name) + ", but the " + what + " of this number is " +
                                         in_quotes(names[number]));
    tensor.name = names[number];
    data_bytes_ += tensor.value.bytes().size();
    if (data_bytes_ > limits::data_bytes_per_case)
      throw FileError(directory_.string(),
                      "more than " + std::to_string(limits::data_bytes_per_case) + " bytes of data in one case");
    return tensor;
  }

  const fs::path& directory_;
  const OperatorModel& model_;
  std::uint64_t data_bytes_ = 0;
};

}  // namespace

std::vector<fs::path> find_test_directories(const fs::path& root) {
  std::vector<fs::path> directories;
  std::vector<fs::path> to_visit{root};
  while (!to_visit.empty()) {
    const fs::path directory = std::move(to_visit.back());
    to_visit.pop_back();
    for (const fs::directory_entry& entry : entries_of(directory)) {
      std::error_code vanished;
      if (entry.path().filename() == "model.onnx") directories.push_back(directory);
      if (fs::is_directory(entry.symlink_status(vanished))) to_visit.push_back(entry.path());
    }
  }
  std::sort(directories.begin(), directories.end());
  return directories;
}

Case read_test_directory(const fs::path& directory, std::string id) {
  OperatorModel model = read_model_file(directory / "model.onnx");
  std::vector<DataSet> sets = DataReader(directory, model).read();
  return {std::move(id), std::move(model), std::move(sets)};
}

}  // namespace touchstone::conformance
