#include "conformance/backends/workers/library_backend.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "conformance/backends/workers/messages.h"
#include "conformance/backends/workers/testing.h"
#include "conformance/testing.h"

namespace touchstone::conformance::library_backend_test {
namespace {

using testing::HasSubstr;

/// Makes lying_library.c lie during its lifetime.
class Lie {
 public:
  explicit Lie(const std::string& name) { ::setenv("TOUCHSTONE_LIE", name.c_str(), 1); }
  ~Lie() { ::unsetenv("TOUCHSTONE_LIE"); }
  Lie(const Lie&) = delete;
  Lie& operator=(const Lie&) = delete;
};

const Case asked = per_axis_case();

/// The answer of a library to a unit with `sets` sets of inputs.
UnitAnswer answer_of(const char* library, std::size_t sets = 1) {
  Unit unit{asked.id, asked.model.bytes, {}};
  unit.inputs.assign(sets, asked.data_sets[0].inputs);
  return load_library_backend(library)->run(unit);
}

/// The first answer, as the host receives it.
Answer received(const UnitAnswer& answer) {
  const std::size_t sets = std::get<std::vector<Answer>>(answer).size();
  const UnitAnswer read = read_response(message_in(response_frame(1, answer)), 1, sets);
  return std::get<std::vector<Answer>>(read).at(0);
}

struct Lied {
  const char* lie;
  const char* reason;
};

std::ostream& operator<<(std::ostream& out, const Lied& lied) { return out << lied.lie; }

class LyingLibrary : public testing::TestWithParam<Lied> {};

TEST_P(LyingLibrary, IsReportedByTheHost) {
  const Lie lie(GetParam().lie);
  for (const char* library : {TOUCHSTONE_LYING_LIBRARY, TOUCHSTONE_LYING_MODELS}) {
    const Answer answer = received(answer_of(library));
    const auto* breakdown = std::get_if<Breakdown>(&answer);
    ASSERT_NE(breakdown, nullptr);
    EXPECT_EQ(breakdown->kind, Breakdown::Kind::protocol) << "a harness_error";
    EXPECT_THAT(breakdown->detail, HasSubstr(GetParam().reason));
  }
}

const std::vector<Lied> lies{
    {"too_few_bytes", "output 0: 5 bytes; type uint8 and shape [2, 3] need 6"},
    {"too_many_bytes", "output 0: 7 bytes; type uint8 and shape [2, 3] need 6"},
    {"endless_bytes", "output 0: 18446744073709551615 bytes; type uint8 and shape [2, 3] need 6"},
    {"null_data", "output 0: 6 bytes at address 0"},
    {"null_dims", "output 0: 2 dimensions at address 0"},
    {"endless_rank", "output 0: 18446744073709551615 dimensions; the limit is 32"},
    {"negative_dimension", "output 0: dims[1] is negative: -3"},
    {"overflowing_dimensions",
     "output 0: the dimensions of a tensor of type uint8 and shape [9223372036854775807, 2] "
     "overflow"},
    {"wrapping_dimensions",
     "output 0: the dimensions of a tensor of type uint8 and shape [11, 1676976733973595602] overflow"},
    {"big_dimension", "output 0: 1152921504606846975 bytes; the limit is 1073741824"},
    {"no_type", "output 0: no data_type: not a tensor"},
    {"unknown_type", "output 0: data_type 999 (which ONNX does not define) is not supported"},
    {"strings", "output 0: data_type 8 (STRING) is not supported"},
    {"set_padding", "output 0: the padding bits at the end of raw_data are not zero"},
    {"endless_outputs", ": 18446744073709551615 outputs; the limit is 64"},
    {"null_outputs", ": 1 outputs at address 0"},
    {"status", " returned 7, which is not a touchstone_status"},
    {"negative_status", " returned -1, which is not a touchstone_status"},
};

INSTANTIATE_TEST_SUITE_P(Libraries, LyingLibrary, testing::ValuesIn(lies),
                         [](const auto& tested) { return tested.param.lie; });

TEST(LibraryBackend, ReturnsTheAnswersOfTheLibrary) {
  for (const char* library : {TOUCHSTONE_LYING_LIBRARY, TOUCHSTONE_LYING_MODELS}) {
    for (const char* harmless : {"", "no_text"}) {
      const Lie lie(harmless);
      const auto outputs = std::get<Outputs>(received(answer_of(library)));
      ASSERT_EQ(outputs.size(), 1U);
      const reference::Tensor& expected = asked.data_sets[0].expected[0].value;
      EXPECT_EQ(outputs[0].value.type(), expected.type());
      EXPECT_EQ(outputs[0].value.shape(), expected.shape());
      EXPECT_TRUE(std::ranges::equal(outputs[0].value.bytes(), expected.bytes()));
    }
    const Lie none("no_outputs");
    EXPECT_EQ(std::get<Outputs>(received(answer_of(library))).size(), 0U) << "the judge decides";
    const Lie two("two_outputs");
    EXPECT_EQ(std::get<Outputs>(received(answer_of(library))).size(), 2U);
    const Lie other("other_type");
    EXPECT_EQ(std::get<Outputs>(received(answer_of(library))).at(0).value.type(), spec::ElementType::int8);
    const Lie empty("empty");
    EXPECT_EQ(std::get<Outputs>(received(answer_of(library))).at(0).value.shape(), (reference::Shape{2, 0}));
    const Lie scalar("scalar");
    EXPECT_EQ(std::get<Outputs>(received(answer_of(library))).at(0).value.shape(), reference::Shape{});
    const Lie refused("refused");
    EXPECT_EQ(std::get<Refusal>(received(answer_of(library))).reason, "") << "without a message";
  }
}

TEST(LibraryBackend, ThrowsIfTheLibraryIsBroken) {
  const Lie lie("broken");
  try {
    answer_of(TOUCHSTONE_LYING_LIBRARY);
    FAIL();
  } catch (const BackendError& error) {
    EXPECT_STREQ(error.what(), "the library is broken: the device is gone");
  }
}

/// The calls since the last query: p(repare), r(un), f(ree), m(odel released), d(estroy).
std::string calls_of(const char* library) {
  void* loaded = ::dlopen(library, RTLD_NOW);
  static std::map<std::string, std::size_t> heard;
  const std::string all = reinterpret_cast<const char* (*)()>(::dlsym(loaded, "lying_library_calls"))();
  return all.substr(std::exchange(heard[library], all.size()));
}

TEST(LibraryBackend, PreparesAModelOnceForAllItsInputs) {
  calls_of(TOUCHSTONE_LYING_MODELS);
  EXPECT_EQ(std::get<std::vector<Answer>>(answer_of(TOUCHSTONE_LYING_MODELS, 3)).size(), 3U);
  EXPECT_EQ(calls_of(TOUCHSTONE_LYING_MODELS), "prfrfrfmd");
}

TEST(LibraryBackend, ReleasesEverythingEvenIfItIsInvalid) {
  const auto calls = [](const char* library, const char* name) {
    const Lie lie(name);
    calls_of(library);
    try {
      answer_of(library, 2);
    } catch (const BackendError&) {
    }
    return calls_of(library);
  };
  EXPECT_EQ(calls(TOUCHSTONE_LYING_LIBRARY, ""), "rfrfd");
  EXPECT_EQ(calls(TOUCHSTONE_LYING_LIBRARY, "too_few_bytes"), "rfrfd");
  EXPECT_EQ(calls(TOUCHSTONE_LYING_LIBRARY, "null_outputs"), "rrd");
  EXPECT_EQ(calls(TOUCHSTONE_LYING_LIBRARY, "refused"), "rrd");
  EXPECT_EQ(calls(TOUCHSTONE_LYING_MODELS, "too_few_bytes"), "prfrfmd");
  EXPECT_EQ(calls(TOUCHSTONE_LYING_MODELS, "broken"), "prmd");
  EXPECT_EQ(calls(TOUCHSTONE_LYING_MODELS, "no_model"), "pd");
  EXPECT_EQ(calls(TOUCHSTONE_LYING_MODELS, "prepare_refused"), "pd");
}

TEST(LibraryBackend, DistinguishesARefusedModelFromALie) {
  {
    const Lie lie("prepare_refused");
    EXPECT_EQ(std::get<Refusal>(answer_of(TOUCHSTONE_LYING_MODELS)).reason, "not such a model");
  }
  const auto detail = [](const char* name) {
    const Lie lie(name);
    return std::get<Breakdown>(received(answer_of(TOUCHSTONE_LYING_MODELS, 2))).detail;
  };
  EXPECT_THAT(detail("no_model"), HasSubstr("touchstone_backend_prepare returned no model"));
  EXPECT_THAT(detail("prepare_status"), HasSubstr("touchstone_backend_prepare returned 7"));
}

TEST(LibraryBackend, DeclaresWhatTheLibraryDoes) {
  const auto declared = [](const char* name) {
    const Lie lie(name);
    return load_library_backend(TOUCHSTONE_LYING_LIBRARY)->declares();
  };
  const Capabilities nothing = declared("");
  EXPECT_TRUE(nothing.element_types.empty() && nothing.opsets.empty());
  EXPECT_FALSE(nothing.constant_scales_only || nothing.static_shapes_only);
  const Capabilities some = declared("declares");
  EXPECT_EQ(some.element_types, (std::vector<std::int32_t>{1, 2}));
  ASSERT_EQ(some.opsets.size(), 2U);
  EXPECT_EQ(some.opsets[0].newest, 13);
  EXPECT_EQ(some.opsets[1].domain, "");
  EXPECT_EQ(some.opsets[1].oldest, 19);
  EXPECT_TRUE(some.static_shapes_only);
  EXPECT_FALSE(some.constant_scales_only);
  EXPECT_THROW(declared("null_types"), BackendError);
  EXPECT_THROW(declared("endless_opsets"), BackendError);
}

TEST(LibraryBackend, SaysWhatALibraryLacks) {
  const auto problem = [](const char* library, const char* name = "") -> std::string {
    const Lie lie(name);
    try {
      load_library_backend(library);
    } catch (const BackendError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(problem(TOUCHSTONE_FUTURE_LIBRARY), HasSubstr("has interface version 99; this touchstone needs 1"));
  EXPECT_THAT(problem(TOUCHSTONE_INCOMPLETE_LIBRARY), HasSubstr("has no function touchstone_backend_release_model"));
  EXPECT_THAT(problem(TOUCHSTONE_LYING_LIBRARY, "create_status"), HasSubstr("cannot be used: status 9"));
}

}  // namespace
}  // namespace touchstone::conformance::library_backend_test
