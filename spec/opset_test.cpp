#include "spec/opset.h"

#include <gtest/gtest.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "spec/operator_version.h"

namespace touchstone::spec::opset_test {
namespace {

std::vector<Opset> opsets_of_onnx() {
  std::vector<Opset> rows;
  std::copy_if(opsets.begin(), opsets.end(), std::back_inserter(rows),
               [](const Opset& opset) { return opset.domain == ai_onnx; });
  return rows;
}

TEST(Opsets, OfADomainFollowEachOtherWithoutGap) {
  for (std::size_t i = 1; i < opsets.size(); ++i) {
    const bool starts_its_domain = opsets[i].domain != opsets[i - 1].domain;
    if (starts_its_domain)
      EXPECT_EQ(oldest_of(opsets[i].domain), &opsets[i]);
    else
      EXPECT_EQ(opsets[i].number, opsets[i - 1].number + 1);
  }
}

TEST(Opsets, EndWithTheNewestThatOnnxHas) {
  const auto [oldest, newest] = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("");
  EXPECT_LE(oldest, oldest_opset);
  EXPECT_EQ(newest, newest_opset);
}

TEST(Opsets, StartWhereTheOperatorsAppeared) {
  for (const std::string op : {"QuantizeLinear", "DequantizeLinear"}) {
    EXPECT_NE(onnx::OpSchemaRegistry::Schema(op, oldest_opset, ""), nullptr) << op;
    EXPECT_EQ(onnx::OpSchemaRegistry::Schema(op, oldest_opset - 1, ""), nullptr) << op;
  }
}

TEST(Opsets, OfOtherDomainsHaveNoRelease) {
  for (const Opset& opset : opsets) EXPECT_EQ(opset.release.empty(), opset.domain != ai_onnx) << opset.domain;
}

// Each minor release of ONNX has added one opset since 1.5.0, which added opset 10.
TEST(Opsets, BelongToOneReleaseEach) {
  for (const Opset& opset : opsets_of_onnx()) EXPECT_EQ(opset.release, "1." + std::to_string(opset.number - 5) + ".0");
}

TEST(Opsets, RaiseTheIrVersionFrom5ToOnnxsOwnAtTheseNumbers) {
  const std::set<int> raises{11, 12, 15, 19, 21, 23, 24, 25, 28};
  int ir_version = 5;
  for (const Opset& opset : opsets_of_onnx()) {
    if (raises.contains(opset.number)) ++ir_version;
    EXPECT_EQ(opset.ir_version, ir_version) << opset.number;
  }
  EXPECT_EQ(ir_version, static_cast<int>(onnx::IR_VERSION));
}

TEST(Opsets, AreListedFromOldestToNewest) {
  for (const Opset& opset : opsets) EXPECT_EQ(find_opset(opset.domain, opset.number), &opset) << opset.number;
  for (const std::string_view domain : {ai_onnx, com_microsoft, opmx}) {
    EXPECT_EQ(find_opset(domain, oldest_of(domain)->number - 1), nullptr) << domain;
    EXPECT_EQ(find_opset(domain, newest_of(domain)->number + 1), nullptr) << domain;
  }
  EXPECT_EQ(oldest_of("org.example"), nullptr);
  EXPECT_EQ(newest_of("org.example"), nullptr);
  EXPECT_EQ(find_opset("org.example", 10), nullptr);
}

// Version 10 of ONNX's format is the first with all 4-bit types.
TEST(Opsets, OfOtherDomainsHaveTheirElementTypes) {
  for (const std::string_view domain : {com_microsoft, opmx}) {
    EXPECT_EQ(oldest_of(domain), newest_of(domain)) << domain;
    EXPECT_EQ(oldest_of(domain)->ir_version, 10) << domain;
  }
}

TEST(Opsets, IncludeEveryOperatorVersion) {
  for (const OperatorVersion& row : operator_versions)
    EXPECT_NE(find_opset(row.domain, row.since_version), nullptr)
        << row.domain << ' ' << name(row.op) << ' ' << row.since_version;
}

}  // namespace
}  // namespace touchstone::spec::opset_test
