// Clauses and the code that implements them: every clause is cited, and every citation names a clause. Every ambiguity
// is consulted, and every reading that a tensor can show has an example.

#include <bitset>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string_view>

#include "reference/opmx_testing.h"

namespace touchstone::reference::citations_test {
namespace {

using enum spec::ElementType;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The sources of the interpreter, or its tests that are named `readings_..._test.cpp`.
std::vector<std::filesystem::path> sources(bool of_readings) {
  std::vector<std::filesystem::path> paths;
  std::vector<std::filesystem::path> files;
  for (const char* folder : {TOUCHSTONE_SOURCE_DIR "/reference", TOUCHSTONE_SOURCE_DIR "/reference/graph"})
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  for (const auto& path : files) {
    const std::string name = path.filename().string();
    const bool is_source = name.ends_with(".cpp") || name.ends_with(".h");
    const bool is_test = name.ends_with("_test.cpp") || name.ends_with("_benchmark.cpp") ||
                         name.ends_with("testing.h") || name.ends_with("packer.h") || name.starts_with("random_");
    const bool wanted = of_readings ? name.starts_with("readings_") : is_source && !is_test;
    if (wanted) paths.push_back(path);
  }
  return paths;
}

std::string all_text(bool of_readings) {
  std::string text;
  for (const auto& path : sources(of_readings)) text += text_of(path);
  return text;
}

/// Requirements on files, which their reader checks (conformance/files/tensor_file.cpp): a tensor here has no unused
/// bits.
const std::set<std::string_view> demands_on_files{"onnx-6-bit-padding"};

TEST(Citations, EveryClauseIsCited) {
  const std::string text = all_text(false);
  for (const spec::Clause& clause : spec::clauses)
    EXPECT_NE(text.find('"' + std::string(clause.id) + '"') != std::string::npos, demands_on_files.contains(clause.id))
        << clause.id;
}

/// "ql-formula" in code, [ql-formula] in comments, [ql-saturate-...] for several clauses.
TEST(Citations, EveryCitationNamesAClause) {
  const std::regex citation(R"(["\[]((?:ql|dq|qdq|onnx|ms|pmx)-[a-z0-9.-]+)["\]])");
  int found = 0;
  for (const auto& path : sources(false)) {
    const std::string text = text_of(path);
    for (auto match = std::sregex_iterator(text.begin(), text.end(), citation); match != std::sregex_iterator();
         ++match) {
      std::string id = (*match)[1];
      const bool is_prefix = id.ends_with("...");
      if (is_prefix) id.resize(id.size() - 3);
      const bool exists = std::ranges::any_of(spec::clauses, [&](const spec::Clause& clause) {
        return is_prefix ? clause.id.starts_with(id) : clause.id == id;
      });
      EXPECT_TRUE(exists) << path << ": " << id;
      ++found;
    }
  }
  EXPECT_GE(found, static_cast<int>(spec::clauses.size() - demands_on_files.size()));
}

/// The name of a type. The compiler spells this function "... [A = touchstone::spec::Ties]".
template <class A>
std::string type_name() {
  const std::string_view function = __PRETTY_FUNCTION__;
  const std::string_view name = function.substr(0, function.find_first_of(";]", function.find("A = ")));
  return std::string(name.substr(name.rfind(':') + 1));
}

bool mentions(const std::string& text, const std::string& ambiguity) {
  return std::regex_search(text, std::regex("spec::" + ambiguity + R"(\b)"));
}

/// Ambiguities about files, which do not reach the interpreter: a tensor holds codes, however they were stored.
const std::set<std::string> questions_about_files{"PaddingOfOutputs", "PaddingOfInputs",  "PaddingOf2BitInputs",
                                                  "Float4Layout",     "PackedZeroPoints", "Float6Padding"};

template <spec::AmbiguityStruct... A>
std::vector<std::string> names_of(spec::AmbiguityList<A...>) {
  return {type_name<A>()...};
}

TEST(Citations, EveryAmbiguityIsReadAndHasAnExample) {
  const std::string interpreter = all_text(false);
  const std::string examples = all_text(true);
  for (const std::string& name : names_of(spec::AllAmbiguities{})) {
    EXPECT_NE(mentions(interpreter, name), questions_about_files.contains(name)) << name;
    EXPECT_NE(mentions(examples, name), questions_about_files.contains(name)) << name;
  }
}

/// A few nodes that together use every clause.
std::vector<Node> nodes_of_all_clauses() {
  const Tensor x = tensor(float32, {1, 3}, {0.5, 1.5, -300});
  const Tensor one = scalar(float32, 1);
  const Tensor scales = vector(float32, {1, 2, 3});
  const Attributes blocks{{"block_size", 2}};
  std::vector<Node> nodes{
      quantize(10, x, one),
      quantize(13, x, scales, vector(int8, {1, 2, 3}), {{"axis", -1}}),
      quantize(13, x, one, std::nullopt, {{"axis", 7}}),
      quantize(13, x, tensor(float32, {1, 1}, {1})),
      quantize(19, vector(float32, {nan, inf, -0.0, 1000, 3}), one, scalar(float8e4m3fnuz, 1)),
      quantize(19, vector(float32, {1000, -0.0}), one, scalar(float8e4m3fn, 0), {{"saturate", 0}}),
      quantize(19, x, one, scalar(uint8, 0), {{"saturate", 0}}),
      quantize(21, x, tensor(float32, {1, 2}, {1, 2}), tensor(uint4, {1, 2}, {1, 2}), blocks),
      quantize(21, x, tensor(float32, {1, 2}, {1, 2})),
      quantize(21, x, one, std::nullopt, {{"block_size", 2}, {"output_dtype", type_code(int16)}}),
      quantize(21, x, one, scalar(int16, 0), {{"output_dtype", type_code(int16)}}),
      quantize(21, x, one, std::nullopt, {{"block_size", -2}}),
      quantize(21, vector(float32, {1}), one),
      quantize(23, vector(float32, {nan, 1}), one, scalar(float4e2m1, 0)),
      quantize(23, x, one, std::nullopt, {{"precision", type_code(float16)}}),
      quantize(23, x, one, std::nullopt, {{"precision", 99}}),
      quantize(24, vector(float32, {inf}), one, scalar(float8e4m3fnuz, 0)),
      quantize(24, x, scalar(float8e8m0, 1)),
      quantize(25, x, one, scalar(int2, 0)),
      quantize(28, x, one, scalar(float6e2m3, 0)),
      dequantize(10, vector(uint8, {1}), one),
      dequantize(13, vector(int32, {1}), one, scalar(int32, 0)),
      dequantize(19, vector(int8, {66}), scalar(float16, 1000)),
      dequantize(19, vector(float8e5m2, {1}), one, scalar(float8e5m2, 0)),
      dequantize(23, vector(int8, {1}), one, std::nullopt, {{"output_dtype", type_code(float16)}}),
      microsoft_quantize(x, scales),
      microsoft_quantize(x, scales, std::nullopt, {{"axis", 1}}),
  };
  const Tensor int4x4_row = coded(int16, {1, 2}, {0xF321, 0x8888});
  const Tensor int8_row = tensor(int8, {1, 2}, {1, 2});
  std::vector<Node> opmx_nodes{
      int4_node(int4x4_row, tensor(float32, {4, 1}, {1, 1, 1, 1}), groups(1, 2)),
      int4_node(int4x4_row, tensor(float32, {4, 1}, {1, 1, 1, 1}), Attributes{}),
      int8_node(int8_row, tensor(float32, {1, 1}, {1}), tensor(int8, {1, 1}, {0}), asymmetric),
      int8_node(int8_row, one, one, biased),
      int8_node(int8_row, one, Attributes{{"group_size", -1}}),
  };
  nodes.insert(nodes.end(), opmx_nodes.begin(), opmx_nodes.end());
  return nodes;
}

TEST(Citations, EveryClauseIsUsedByAnEvaluation) {
  std::bitset<spec::clauses.size()> cited;
  for (const Node& node : nodes_of_all_clauses()) cited |= interpret(node).cited;
  for (std::size_t i = 0; i < spec::clauses.size(); ++i)
    EXPECT_NE(cited.test(i), demands_on_files.contains(spec::clauses[i].id)) << spec::clauses[i].id;
}

TEST(Citations, StepsThatAreNotTakenAreNotCited) {
  struct Row {
    spec::ClauseRef clause;
    Node node;
    bool cited;
    Policy policy = {};
  };
  const Tensor x = vector(float32, {3});
  const Tensor one = scalar(float32, 1);
  const Attributes in_float16{{"precision", type_code(float16)}};
  const Policy ignores_precision = Policy{}.with<spec::PrecisionValues>(spec::PrecisionValues::ignored);
  const Attributes to_float16{{"output_dtype", type_code(float16)}};
  const Attributes to_uint4{{"output_dtype", type_code(uint4)}};
  const std::vector<Row> rows{
      {"ql-division-in-scale-type", quantize(23, x, one), true},
      {"ql-division-in-scale-type", quantize(23, vector(int32, {3}), scalar(int32, 1)), false},
      {"ql-division-in-scale-type", quantize(24, x, scalar(float8e8m0, 1)), false},
      {"ql-division-in-scale-type", quantize(23, x, one, std::nullopt, in_float16), false},
      {"ql-division-in-scale-type", quantize(23, x, one, std::nullopt, in_float16), true, ignores_precision},
      {"ql-division-in-precision", quantize(23, x, one, std::nullopt, in_float16), true},
      {"ql-division-in-precision", quantize(23, x, one, std::nullopt, in_float16), false, ignores_precision},
      {"ql-division-in-precision", quantize(23, x, one, std::nullopt, {{"precision", 99}}), true},
      {"dq-product-in-output-type", dequantize(23, vector(int8, {3}), one, std::nullopt, to_float16), true},
      {"dq-product-in-output-type", dequantize(24, vector(int8, {3}), scalar(float8e8m0, 1), std::nullopt, to_float16),
       true},
      {"qdq-rank-1-per-tensor", quantize(21, x, one), true},
      {"qdq-rank-1-per-tensor", quantize(19, x, one), false},
      {"qdq-rank-1-per-tensor", dequantize(19, vector(int8, {3}), one), true},
      {"qdq-rank-1-per-tensor", dequantize(13, vector(int8, {3}), one), false},
      {"qdq-rank-1-per-tensor", quantize(21, tensor(float32, {1, 1}, {3}), one), false},
      {"onnx-4-bit-packing", quantize(21, x, one, std::nullopt, to_uint4), true},
      {"onnx-4-bit-packing", quantize(21, x, one), false},
      {"onnx-e8m0-value", quantize(24, x, scalar(float8e8m0, 1)), true},
      {"onnx-e8m0-value", quantize(24, x, one), false},
      {"dq-float-values", dequantize(19, vector(float8e5m2, {3}), one), true},
      {"dq-float-values", dequantize(19, vector(int8, {3}), one), false},
      {"ms-scalars-without-axis", microsoft_quantize(x, one), true},
      {"ms-vectors-with-axis", microsoft_quantize(x, one), false},
      {"ms-axis-range", microsoft_quantize(x, one), false},
      {"ms-scalars-without-axis", microsoft_quantize(x, vector(float32, {1}), std::nullopt, {{"axis", 0}}), false},
      {"ms-axis-range", microsoft_quantize(x, vector(float32, {1}), std::nullopt, {{"axis", 0}}), true},
      {"dq-int32-zero-point", microsoft_dequantize(vector(int32, {3}), one, scalar(int32, 1)), false},
      {"dq-exact-difference", microsoft_dequantize(vector(int32, {3}), one, scalar(int32, 1)), true},
  };
  for (const Row& row : rows)
    EXPECT_EQ(interpret(row.node, row.policy).cited.test(row.clause.index()), row.cited) << row.clause->id;
}

}  // namespace
}  // namespace touchstone::reference::citations_test
