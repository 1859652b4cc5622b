#include "spec/opset.h"

#include <gtest/gtest.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <cstddef>
#include <set>
#include <string>

#include "spec/operator_version.h"

namespace touchstone::spec {
namespace {

TEST(Opsets, FollowEachOtherWithoutGap) {
  for (std::size_t i = 1; i < opsets.size(); ++i) EXPECT_EQ(opsets[i].number, opsets[i - 1].number + 1);
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

// One minor release of ONNX after another has added one opset each, since 1.5.0 added opset 10.
TEST(Opsets, CameWithOneReleaseEach) {
  for (const Opset& opset : opsets) EXPECT_EQ(opset.release, "1." + std::to_string(opset.number - 5) + ".0");
}

TEST(Opsets, RaiseTheIrVersionFrom5ToOnnxsOwnAtTheseNumbers) {
  const std::set<int> raises{11, 12, 15, 19, 21, 23, 24, 25, 28};
  int ir_version = 5;
  for (const Opset& opset : opsets) {
    if (raises.contains(opset.number)) ++ir_version;
    EXPECT_EQ(opset.ir_version, ir_version) << opset.number;
  }
  EXPECT_EQ(opsets.back().ir_version, static_cast<int>(onnx::IR_VERSION));
}

TEST(Opsets, AreKnownFromOldestToNewest) {
  EXPECT_FALSE(is_known_opset(opsets.front().number - 1));
  for (const Opset& opset : opsets) EXPECT_TRUE(is_known_opset(opset.number)) << opset.number;
  EXPECT_FALSE(is_known_opset(opsets.back().number + 1));
}

TEST(Opsets, IncludeEveryOperatorVersion) {
  for (const OperatorVersion& row : operator_versions)
    EXPECT_TRUE(is_known_opset(row.since_version)) << name(row.op) << ' ' << row.since_version;
}

}  // namespace
}  // namespace touchstone::spec
