// What right parts say against the explanations of others.
#include "conformance/check/doubts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/units/testing.h"

namespace touchstone::conformance::doubts_test {
namespace {

using testing::ElementsAre;

/// Two products, and a unit without any.
constexpr const char* graph =
    R"(g (uint8[2,8] x, int8[8,3] w, int8[8,2] v, uint8[4] r)
      => (uint8[2,3] y, uint8[2,2] z, uint8[4] q) <float s = {1}> {
    a = DequantizeLinear(x, s)
    b = DequantizeLinear(w, s)
    c = MatMul(a, b)
    y = QuantizeLinear(c, s)
    d = DequantizeLinear(v, s)
    e = MatMul(a, d)
    z = QuantizeLinear(e, s)
    f = DequantizeLinear(r, s)
    h = Relu(f)
    q = QuantizeLinear(h, s)
  })";

constexpr const char *first = "model/net/unit/2/MatMul", *second = "model/net/unit/5/MatMul",
                     *relu = "model/net/unit/8/Relu", *window = "model/net/window/2/MatMul+Relu";

class Doubts : public testing::Test {
 protected:
  Doubts() : parts_(file_of_graph(scratch_, graph), {}), records_(parts_.size()) {
    for (std::size_t number = 0; number < parts_.size(); ++number) {
      records_[number].id = parts_.id_of(number);
      records_[number].verdict = Verdict::pass;
    }
    record(first).verdict = Verdict::pass_variant;
    record(first).readings = {{"amb-factor-precision", "rounded-to-bfloat16"}};
    record(first).hypotheses = {"saturates-pairs-of-products"};
  }

  CaseRecord& record(std::string_view id) {
    return *std::ranges::find_if(records_, [&](const CaseRecord& one) { return *one.id == id; });
  }

  /// These right parts contradict the precision, and those the defect.
  std::vector<std::string> readings(std::vector<std::string> against_precision,
                                    std::vector<std::string> against_defect) const {
    const std::vector<Contradictions> found{
        {"amb-factor-precision:rounded-to-bfloat16", 2, std::move(against_precision)},
        {"saturates-pairs-of-products", 2, std::move(against_defect)}};
    return permitted_readings({parts_, records_, found});
  }

  TemporaryDirectory scratch_;
  ModelParts parts_;
  std::vector<CaseRecord> records_;
  const std::string right_ = "1 part is right by a permitted reading: amb-factor-precision=rounded-to-bfloat16";
};

TEST_F(Doubts, NameTheDefectThatNothingContradicts) {
  const std::string defect = "a backend that saturates sums of two products to 16 bits gives these results, too";
  const std::string doubt = "; but 1 other right part with such a product contradicts this reading, and " + defect;
  EXPECT_THAT(readings({second, relu}, {}), ElementsAre(right_ + doubt));
  EXPECT_THAT(readings({second}, {window}), ElementsAre(right_ + doubt + " (not so in 1 right part)"));
}

TEST_F(Doubts, NeedAnotherProductAndADefect) {
  EXPECT_THAT(readings({}, {}), ElementsAre(right_));
  EXPECT_THAT(readings({relu}, {}), ElementsAre(right_)) << "it has no product, which could have a precision";
  EXPECT_THAT(readings({second}, {second}), ElementsAre(right_)) << "kernels alone do not have the defect";
  record(first).hypotheses = {};
  EXPECT_THAT(readings({second}, {}), ElementsAre(right_)) << "nothing else gives the results";
}

/// A single wrong element is explained by chance too often.
TEST_F(Doubts, AboutCausesThatRightPartsContradictNameThePlace) {
  const std::vector<Contradictions> found{{"saturates-pairs-of-products", 2, {window}}};
  const auto place = static_cast<std::size_t>(&record(first) - records_.data());
  const std::vector<Cause> causes{{.is_wrong = true, .cases = {place}}};
  record(first).wrong_elements = std::vector<WrongElement>(1);
  EXPECT_THAT(local_explanations({parts_, records_, found}, causes), ElementsAre());
  record(first).wrong_elements = std::vector<WrongElement>(2);
  EXPECT_THAT(local_explanations({parts_, records_, found}, causes),
              ElementsAre(std::string(first) + " alone: as if the backend saturates sums of two products to 16 bits "
                                               "(not so in 1 right part)"));
}

}  // namespace
}  // namespace touchstone::conformance::doubts_test
