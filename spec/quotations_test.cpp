// Quotations in the register, the text between quotation marks in the sources of clauses and ambiguities, must occur in
// the specification. ONNX's registered schemas contain their own text. Quotations from other documents are listed
// below. Without the documents, a quotation is only compared with this list, which does not prove that the document
// contains it. If TOUCHSTONE_PAGES names a directory with all of these documents, under any file names, the quotations
// are searched there; otherwise that test is skipped.
#include <gtest/gtest.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/ambiguities.h"
#include "spec/clauses.h"
#include "spec/operator_version.h"

namespace touchstone::spec::quotations_test {
namespace {

/// Removes differences between editions of a text: markup, apostrophes, comment marks, white space.
std::string normalized(std::string_view text) {
  constexpr std::array<std::string_view, 3> apostrophes{"'", "\u2018", "\u2019"};
  std::string made;
  bool begins_line = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    const auto apostrophe = std::ranges::find_if(apostrophes, [&](auto mark) { return rest.starts_with(mark); });
    if (apostrophe != apostrophes.end()) {
      i += apostrophe->size() - 1;
    } else if (begins_line && rest.starts_with("//")) {
      ++i;
    } else if (std::string_view(" \t\r\n").find(text[i]) != std::string_view::npos) {
      if (!made.empty() && made.back() != ' ') made += ' ';
      begins_line = begins_line || text[i] == '\n';
      continue;
    } else if (std::string_view("`*\\").find(text[i]) == std::string_view::npos) {
      made += text[i];
    }
    begins_line = false;
  }
  return made;
}

bool has(std::string_view text, std::string_view words) { return text.find(words) != std::string_view::npos; }

// ---- the register

struct Row {
  std::string_view id;
  Applicability applies;
  std::string_view source;
  std::span<const ReadingInfo> readings;  ///< of an ambiguity
};

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const Clause& row : clauses) all.push_back({row.id, row.applies, row.source, {}});
  for (const Ambiguity* row : ambiguities) all.push_back({row->id, row->applies, row->source, row->readings});
  return all;
}

/// Whether the text contradicts a reading in every version that has the ambiguity.
bool rejects_a_reading(const Row& row) {
  return std::ranges::any_of(row.readings,
                             [](const ReadingInfo& reading) { return reading.status == ReadingStatus::rejected; });
}

std::vector<std::string> quotations(std::string_view source) {
  std::vector<std::string> found;
  for (std::size_t begin = source.find('"'); begin != std::string_view::npos; begin = source.find('"', begin)) {
    const std::size_t end = source.find('"', begin + 1);
    found.push_back(normalized(source.substr(begin + 1, end - begin - 1)));
    begin = end + 1;
  }
  return found;
}

// ---- the texts that ONNX registers

void add_text(const onnx::OpSchema& schema, std::string& text) {
  text += schema.doc() == nullptr ? "" : schema.doc();
  for (const auto& [name, attribute] : schema.attributes()) text += '\n' + attribute.description;
  for (const auto& input : schema.inputs()) text += '\n' + input.GetDescription();
  for (const auto& output : schema.outputs()) text += '\n' + output.GetDescription();
  for (const auto& constraint : schema.typeConstraintParams()) text += '\n' + constraint.description;
  text += '\n';
}

/// The text of a version, of what it refers to ("See QuantizeLinear for details on quantization granularity"), and of
/// the other operators that the source names.
std::string text_of(const OperatorVersion& version, std::string_view source) {
  std::string text;
  const auto add = [&](const char* op) {
    if (const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Schema(op, version.since_version, ""))
      add_text(*schema, text);
  };
  add(std::string(name(version.op)).c_str());
  if (has(text, "See QuantizeLinear")) add("QuantizeLinear");
  if (has(source, "Cast")) add("Cast");
  if (has(source, "DynamicQuantizeLinear")) add("DynamicQuantizeLinear");
  return normalized(text);
}

std::vector<std::string> texts_of_onnx(const Row& row) {
  std::vector<std::string> texts;
  for (const OperatorVersion& version : operator_versions)
    if (version.domain == ai_onnx && row.applies.covers(version.domain, version.op, version.since_version))
      texts.push_back(text_of(version, row.source));
  for (const std::string_view other : row.applies.others)
    if (const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Schema(std::string(other))) {
      std::string text;
      add_text(*schema, text);
      if (has(row.source, "DynamicQuantizeLinear"))
        add_text(*onnx::OpSchemaRegistry::Schema("DynamicQuantizeLinear"), text);
      texts.push_back(normalized(text));
    }
  return texts;
}

// ---- other documents

struct Document {
  std::string_view name;  ///< as sources name it
  std::string_view mark;  ///< a phrase that identifies it
  std::vector<std::string_view> words;
};

const std::vector<Document>& documents() {
  static const std::vector<Document> all{
      {"onnx.proto",
       "message TensorProto {",
       {"the same-domain/same-op_type operator with the HIGHEST version in the referenced operator sets",
        "the first element is stored in the 4 LSB and the second element is stored in the 4 MSB",
        "with elements packed from LSB to MSB in a single byte",
        "must be packed 4-at-a-time into 3 bytes, as a contiguous 24-bit LSB-first bitstream",
        "the final group is zero-padded", "bits 6-31 MUST be zero"}},
      {"IR.md",
       "# Open Neural Network Exchange Intermediate Representation",
       {"the set of attributes specified in a node and their types MUST satisfy the constraints imposed by the "
        "signature",
        "inputs and outputs in a node, their types, the set of attributes specified in a node and their types MUST "
        "satisfy the constraints",
        "use an empty string in place of an input or output name",
        "A tensor representing a vector of length 1 has shape [1], while a tensor representing a scalar has shape []"}},
      {"echnical page on float4",
       "(onnx-detail-float4)",
       {"| NaN | 6 |", "E2M1 converted value of x. Round to nearest even.",
        "The first element is stored in the 4 LSB and the second element is stored in the 4 MSB"}},
      {"4-bit",
       "(onnx-detail-int4)",
       {"padding of 4 bits will be appended", "for elements x, y, that are consecutive elements in the array"}},
      {"2-bit types",
       "(onnx-detail-int2)",
       {"zero-padding will be applied in the remaining higher bits of the final byte"}},
      {"com.microsoft",
       "com.microsoft - DequantizeLinear",
       {"it means per-tensor quantization and input x_scale and x_zero_point must be scalars",
        "it means per axis quantization and input x_scale and x_zero_point must be 1-D tensors",
        "x_scale and x_zero_point must be scalars", "x_scale and x_zero_point must be 1-D tensors",
        "must be 1-D tensors", "The axis along which same quantization parameters are applied",
        "Constrain x and x_zero_point to 8-bit integer tensors", "x_zero_point (heterogeneous) - T1"}},
      {"com.microsoft",
       "QuantizeLinear_ver1_doc",
       {"it's rounding to nearest ties to even", "y = (x - x_zero_point) * x_scale"}},
      {"opmx",
       "Quantized weight data type.",
       {"Quantized weight data type.",
        "Options: int4, int8",
        "Reserved. Auxiliary attribute for quantization method.",
        "quant_axis: int(default: 1)",
        "Only accept 0 or 1.",
        "0 for out_features and 1 for in_features",
        "group_size: int(default: 128)",
        "Group size for per group quantization.",
        "Use per group quantization when group_size != 0",
        "otherwise use per channel(per out features) or per tensor quantization",
        "has_zeropoint: bool(default: False)",
        "Is there zeropoint for asymmetry quantization.",
        "Provide convenience for graph optimization.",
        "dequantized = scale * (quantized - zeropoint)",
        "scale * (quantized - zeropoint)",
        "float_zeropoint: bool(default: False)",
        "Use floating point zeropoint for untraditional asymmetry quantization.",
        "zeropoint = (max(X) + min(X)) / 2",
        "dequantized = scale * quantized + zeropoint",
        "a scalar for per-tensor/per-layer quantization",
        "must have the same shape",
        "a rank identical tensor for per-axis quantization",
        "Data is packed as int4x4",
        "so the datatype of X must be int16",
        "Scale(constant): tensor(T2)",
        "Scale(constant)",
        "Let's use some combinations as examples",
        "per_channel and quant_axis == 1",
        "per_tensor : $(1)$ or scalar",
        "group_size != 0 and quant_axis == 0",
        "group_size != 0 and quant_axis == 1",
        "must be aligned with group_size",
        "$d_0$ must be aligned with group_size",
        "ZeroPoint(constant, optional)",
        "must appear and not be empty when has_zeropoint == True",
        "Data type MUST be floating point when float_zeropoint == True",
        "Y: tensor(T2)",
        "int8, int16(for int4x4)",
        "float32, float16",
        "int8, float16, float32"}},
  };
  return all;
}

bool is_of_a_document_that_is_named(const Row& row, const std::string& quotation) {
  return std::ranges::any_of(documents(), [&](const Document& document) {
    return has(row.source, document.name) &&
           std::ranges::any_of(document.words, [&](std::string_view words) { return normalized(words) == quotation; });
  });
}

// ---- the tests

/// Quotations from documents other than ONNX's schemas are only compared with the list above: see
/// OfOtherDocumentsAreFoundInThem.
TEST(Quotations, OccurInOnnxOrAreListedWithAnotherDocument) {
  for (const Row& row : rows()) {
    const std::vector<std::string> texts = texts_of_onnx(row);
    for (const std::string& quotation : quotations(row.source)) {
      const bool is_of_onnx = std::ranges::any_of(texts, [&](const auto& text) { return has(text, quotation); });
      EXPECT_TRUE(is_of_onnx || is_of_a_document_that_is_named(row, quotation)) << row.id << ": " << quotation;
    }
  }
}

/// A row without a quotation must state in its source that the text is silent. A text that is silent contradicts no
/// reading.
TEST(Quotations, ExistUnlessTheTextIsSilent) {
  for (const Row& row : rows()) {
    EXPECT_EQ(std::ranges::count(row.source, '"') % 2, 0) << row.id;
    EXPECT_TRUE(has(row.source, "silent") || !quotations(row.source).empty()) << row.id;
    EXPECT_TRUE(!rejects_a_reading(row) || !quotations(row.source).empty())
        << row.id << " has a rejected reading, and no words that contradict it";
  }
}

/// The text of one version is no evidence for another.
TEST(Quotations, AreOfEveryVersionThatTheRowAppliesTo) {
  for (const Row& row : rows()) {
    const std::vector<std::string> quoted = quotations(row.source);
    const bool is_of_elsewhere = std::ranges::any_of(
        quoted, [&](const std::string& quotation) { return is_of_a_document_that_is_named(row, quotation); });
    if (is_of_elsewhere || has(row.source, "silent")) continue;
    for (const std::string& text : texts_of_onnx(row))
      EXPECT_TRUE(std::ranges::any_of(quoted, [&](const std::string& quotation) { return has(text, quotation); }))
          << row.id << ": " << text.substr(0, 200);
  }
}

TEST(Quotations, OfOtherDocumentsAreAllUsed) {
  for (const Document& document : documents())
    for (const std::string_view words : document.words)
      EXPECT_TRUE(std::ranges::any_of(rows(), [&](const Row& row) {
        const auto quoted = quotations(row.source);
        return std::ranges::find(quoted, normalized(words)) != quoted.end();
      })) << words;
}

TEST(Quotations, OfOtherDocumentsAreFoundInThem) {
  const char* directory = std::getenv("TOUCHSTONE_PAGES");
  if (directory == nullptr)
    GTEST_SKIP() << "TOUCHSTONE_PAGES names no directory: the words of " << documents().size()
                 << " documents were not looked up in them";
  std::vector<bool> found(documents().size());
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    std::ifstream file(entry.path());
    const std::string text = normalized(std::string{std::istreambuf_iterator<char>(file), {}});
    for (std::size_t i = 0; i < documents().size(); ++i) {
      const Document& document = documents()[i];
      if (!has(text, normalized(document.mark))) continue;
      found[i] = true;
      for (const std::string_view words : document.words)
        EXPECT_TRUE(has(text, normalized(words))) << entry.path() << ": " << words;
    }
  }
  for (std::size_t i = 0; i < documents().size(); ++i)
    EXPECT_TRUE(found[i]) << directory << " has no document of " << documents()[i].name << " with the words '"
                          << documents()[i].mark << "', so that " << documents()[i].words.size()
                          << " quotations were not looked up";
}

TEST(Quotations, AreComparedWithoutMarkup) {
  EXPECT_EQ(normalized("`y`  has the\n  scale's \\[x\\]\u2019 *type*"), "y has the scales [x] type");
  EXPECT_EQ(normalized("a\n  // b\nhttps://c"), "a b https://c");
  EXPECT_EQ(quotations("Summary: \"a b\"; \"c\", d").size(), 2U);
}

}  // namespace
}  // namespace touchstone::spec::quotations_test
