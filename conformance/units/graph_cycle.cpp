#include "conformance/units/graph_cycle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <string_view>
#include <vector>

#include "conformance/files/file_error.h"

namespace touchstone::conformance {

std::string cycle_in_words(const onnx::GraphProto& graph) {
  std::map<std::string_view, int> producer;
  for (int i = 0; i < graph.node_size(); ++i)
    for (const std::string& output : graph.node(i).output()) producer.emplace(output, i);
  producer.erase("");
  std::vector<std::vector<int>> sources(static_cast<std::size_t>(graph.node_size())), readers(sources);
  std::vector<int> computable;
  for (int i = 0; i < graph.node_size(); ++i) {
    for (const std::string& input : graph.node(i).input())
      if (const auto source = producer.find(input); source != producer.end()) {
        sources[static_cast<std::size_t>(i)].push_back(source->second);
        readers[static_cast<std::size_t>(source->second)].push_back(i);
      }
    if (sources[static_cast<std::size_t>(i)].empty()) computable.push_back(i);
  }
  for (std::size_t next = 0; next < computable.size(); ++next)
    for (const int reader : readers[static_cast<std::size_t>(computable[next])])
      if (auto& left = sources[static_cast<std::size_t>(reader)];
          std::erase(left, computable[next]) > 0 && left.empty())
        computable.push_back(reader);
  const auto start = std::ranges::find_if(sources, [](const std::vector<int>& left) { return !left.empty(); });
  if (start == sources.end()) return "";
  std::vector<int> path{static_cast<int>(start - sources.begin())};  // against the direction of the data
  for (std::set<int> seen; seen.insert(path.back()).second;)
    path.push_back(sources[static_cast<std::size_t>(path.back())].front());
  path.erase(path.begin(), std::ranges::find(path, path.back()));
  std::vector<std::string> names;
  for (const int index : path | std::views::reverse)
    names.push_back(fmt::format("{} {}", index, printable(graph.node(index).op_type(), 60)));
  constexpr std::size_t most_nodes = 8;
  if (names.size() > most_nodes) {
    names.erase(names.begin() + most_nodes, names.end() - 1);
    names.insert(names.end() - 1, "...");
  }
  return fmt::format("{}", fmt::join(names, " -> "));
}

}  // namespace touchstone::conformance
