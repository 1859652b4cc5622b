// touchstone check: what it prints of a user's model, with and without backends, and its exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "conformance/files/text.h"
#include "conformance/units/testing.h"
#include "tools/touchstone/program_testing.h"

namespace touchstone::tools::check_test {
namespace {

using conformance::model_of_graph;
using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr const char* one_layer = R"(g (uint8[n,4] x) => (uint8[n,4] y) <float s = {0.5}, uint8 p = {3}> {
  a = DequantizeLinear(x, s, p)
  b = Relu(a)
  y = QuantizeLinear(b, s, p)
})";

Outcome check(
    const TemporaryDirectory& scratch, const std::string& graph, std::vector<std::string> options = {},
    const Rewire& rewire = [] {}) {
  write_file(scratch.path() / "net.onnx", model_of_graph(graph));
  options.insert(options.begin(), {"check", "net.onnx"});
  return touchstone(scratch, options, rewire);
}

TEST(Check, DescribesALegalModel) {
  const TemporaryDirectory scratch;
  const Outcome checked = check(scratch, one_layer, {"--dim", "n=2"});
  EXPECT_EQ(checked.exit_code, 0) << checked.error;
  EXPECT_THAT(checked.out, AllOf(HasSubstr("opset 21, IR 10, 3 nodes, 2 of them QuantizeLinear or DequantizeLinear"),
                                 HasSubstr("legal, also for ONNX's own checker"),
                                 HasSubstr("3 of 3 nodes can be checked, in 2 nodes and 1 unit of different")));
}

TEST(Check, NamesIllegalNodes) {
  const TemporaryDirectory scratch;
  const Outcome checked = check(scratch, R"(g (uint8[4] x) => (float[4] y, float[4] z) <float[2] s = {0.5, 1}> {
    y = DequantizeLinear(x, s)
    z = DequantizeLinear(x, s)
  })");
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_THAT(checked.out, AllOf(HasSubstr("ILLEGAL: 2 of 2 quantization nodes"),
                                 HasSubstr("node 0 DequantizeLinear y, and 1 other")));
}

/// The interpreter names the node by its index in the model, also where it runs a part.
TEST(Check, NamesInvalidNodesWithOtherOperators) {
  const TemporaryDirectory scratch;
  const Outcome checked =
      check(scratch, R"(g (uint8[4] x) => (uint8[4] z, uint8[2] y) <float s = {0.5}, int64[2] i = {0, 7}> {
    a = DequantizeLinear(x, s)
    b = Relu(a)
    z = QuantizeLinear(b, s)
    c = DequantizeLinear(z, s)
    [pick] d = Gather(c, i)
    y = QuantizeLinear(d, s)
  })",
            {"--backend", "reference", "--quiet"});
  EXPECT_EQ(checked.exit_code, 1) << checked.error;
  const std::string why = "node 4 Gather pick: the index 7 is out of range for an axis of length 4";
  EXPECT_THAT(unwrapped(checked.out), AllOf(HasSubstr("ILLEGAL, but not in its quantization nodes"),
                                            HasSubstr("invalid: " + why), HasSubstr("undecided in 2 parts: " + why)));
}

TEST(Check, CountsAndExaminesNodesOfBranches) {
  const TemporaryDirectory scratch;
  const std::string graph = R"(g (float[4] x, bool c) => (float[4] y) <float s = {0.5}, float[2] t = {0.5, 1}> {
    y = If (c) <
      then_branch = a () => (float[4] u) { q = QuantizeLinear(x, s) u = DequantizeLinear<axis = 1>(q, t) },
      else_branch = b () => (float[4] v) { v = Relu(x) }
    >
  })";
  const Outcome checked = check(scratch, graph);
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_THAT(checked.out, AllOf(HasSubstr("4 nodes, 2 of them QuantizeLinear or DequantizeLinear"),
                                 HasSubstr("node 1 DequantizeLinear u in then_branch of node 0 If"),
                                 HasSubstr("nodes: in branches and bodies")));
  const Outcome run = check(scratch, graph, {"--backend", "reference", "--quiet"});
  EXPECT_EQ(run.exit_code, 1) << run.error;
  EXPECT_THAT(run.error, HasSubstr("net.onnx: there is nothing to run"));
}

TEST(Check, ComparesBackends) {
  const TemporaryDirectory scratch;
  const Outcome checked =
      check(scratch, one_layer,
            {"--dim", "n=2", "--backend", "wrong:ignores-zero-point", "--backend", "reference", "--quiet"});
  SCOPED_TRACE(checked.out + checked.error);
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_THAT(checked.out, ContainsRegex("unit 1 Relu uint8\\[2,4\\] +WRONG +right"));
  const std::string program = "touchstone-check/wrong-ignores-zero-point/reproducers/model/net/unit/1/Relu/show.py";
  EXPECT_THAT(checked.out,
              AllOf(ContainsRegex("unit 1 Relu uint8\\[2,4\\]\n +WRONG: . of 8 elements differ, by up to "),
                    HasSubstr(program), Not(HasSubstr("not tested"))));
  EXPECT_TRUE(fs::exists(scratch.path() / program));
  for (const char* report : {"check.json", "check.junit.xml", "check.html"})
    EXPECT_TRUE(fs::exists(scratch.path() / "touchstone-check" / report)) << report;
}

TEST(Check, PrintsLinesOfATerminal) {
  const TemporaryDirectory scratch;
  std::vector<std::string> options{"--dim", "n=2", "--quiet"};
  for (const char* backend : {"wrong:ignores-zero-point", "wrong:rounds-half-up", "optimized", "reference"})
    options.insert(options.end(), {"--backend", backend});
  const Outcome checked = check(scratch, one_layer, options);
  EXPECT_THAT(checked.out, ContainsRegex("\n  node 0 DequantizeLinear uint8\\[2,4\\] +WRONG +right +right +right\n"));
  for (const std::string_view line : conformance::lines_of(checked.out)) {
    const bool is_path = line.find('/') != line.npos;
    EXPECT_TRUE(is_path || line.size() <= 80U) << line;
  }
}

constexpr const char* convolution =
    R"(g (uint8[1,2,4,4] x) => (uint8[1,2,4,4] y) <float s = {0.02}, uint8 p = {117}, float f = {0.01}, float g = {0.0002},
    float t = {0.3}, int32[2] c = {2000, -1500}, int8[2,2,3,3] w = {126, -13, 5, 127, 101, -128, 64, -41, 127, -128, -90, -127, 5, 64, -41, 22, 101, -127,
    126, -41, -128, -41, 22, -13, -90, 22, -90, -127, -90, 126, 126, 64, -90, -90, -128, -128}> {
  a = DequantizeLinear(x, s, p)
  b = DequantizeLinear(w, f)
  d = DequantizeLinear(c, g)
  e = Conv<pads = [1, 1, 1, 1]>(a, b, d)
  y = QuantizeLinear(e, t, p)
})";

constexpr const char* product =
    R"(g (uint8[2,8] x) => (uint8[2,3] y) <float s = {0.02}, float f = {0.01}, float t = {0.2}, uint8 p = {128},
    int8[8,3] w = {127, 127, 127, 127, 120, 120, 127, 127, 127, 127, 127, 127, 127, 127, -119, 120, -127, 120, -119, 127, 127, 120, -127, 120}> {
  a = DequantizeLinear(x, s)
  b = DequantizeLinear(w, f)
  c = MatMul(a, b)
  y = QuantizeLinear(c, t, p)
})";

constexpr const char* product_of_floats = R"(g (float[2,8] x) => (float[2,3] y) <float f = {0.01},
    int8[8,3] w = {127, 127, 127, 127, 120, 120, 127, 127, 127, 127, 127, 127, 127, 127, -119, 120, -127, 120, -119, 127, 127, 120, -127, 120}> {
  b = DequantizeLinear(w, f)
  y = MatMul(x, b)
})";

constexpr const char* pool = R"(g (uint8[1,1,4,4] x) => (uint8[1,1,4,4] y) <float s = {0.1}, float t = {0.13},
    uint8 p = {40}, uint8 q = {7}> {
  a = DequantizeLinear(x, s, p)
  b = AveragePool<kernel_shape = [3, 3], pads = [1, 1, 1, 1], count_include_pad = 1>(a)
  y = QuantizeLinear(b, t, q)
})";

/// The defects are in the arithmetic of a layer, whose sums round.
TEST(Check, NamesDefectsOfLayers) {
  struct Row {
    const char* graph;
    const char* defect;
    const char* unit;
    const char* cause;
  };
  const Row rows[]{
      {convolution, "pads-conv-with-code-0", "unit 3 Conv",
       "pads the quantized elements of Conv and AveragePool with 0"},
      {pool, "pads-conv-with-code-0", "unit 1 AveragePool",
       "pads the quantized elements of Conv and AveragePool with 0"},
      {convolution, "scales-bias-by-input", "unit 3 Conv",
       "dequantizes the bias of Conv and Gemm with the scale of the first operand alone"},
      {convolution, "scales-bias-by-weights", "unit 3 Conv",
       "dequantizes the bias of Conv and Gemm with the scale of the weights alone"},
      {convolution, "adds-bias-twice", "unit 3 Conv", "adds the bias of Conv, ConvTranspose and Gemm twice"},
      {product, "saturates-pairs-of-products", "unit 2 MatMul", "saturates sums of two products to 16 bits"},
      {product_of_floats, "amb-factor-precision:quantized-to-int8", "unit 1 MatMul",
       "quantizes the first operand to int8 before it multiplies"},
      {product_of_floats, "amb-factor-precision:quantized-to-uint8-per-tensor", "unit 1 MatMul",
       "quantizes the first operand to uint8 before it multiplies"},
  };
  for (const auto& [graph, defect, unit, cause] : rows) {
    const TemporaryDirectory scratch;
    const Outcome checked =
        check(scratch, graph, {"--backend", std::string("wrong:") + defect, "--backend", "reference", "--quiet"});
    SCOPED_TRACE(checked.out + checked.error);
    EXPECT_EQ(checked.exit_code, 1) << defect;
    EXPECT_THAT(checked.out, ContainsRegex(std::string(unit) + " [^ ]+ +WRONG +right"));
    EXPECT_THAT(unwrapped(checked.out), HasSubstr(cause));
    EXPECT_THAT(content_of(scratch.path() / "touchstone-check" / "check.json"),
                ContainsRegex("\\(in (1 part|[2-9] parts)\\)"));
  }
}

constexpr const char* two_convolutions =
    R"(g (uint8[1,1,8,16] x) => (uint8[1,2,8,16] y) <float s = {0.0201}, float f = {0.01004}, float t = {0.02},
    float u = {0.0004}, uint8 p = {128}, int8[1,1,1,1] v = {100}, int8[2,1,1,1] w = {1, -1},
    float[2] c = {0.0396386, -0.0396386}> {
  a = DequantizeLinear(x, s, p)
  b = DequantizeLinear(v, f)
  d = Conv(a, b)
  e = QuantizeLinear(d, t, p)
  g = DequantizeLinear(e, s, p)
  h = DequantizeLinear(w, f)
  i = Conv(g, h, c)
  y = QuantizeLinear(i, u, p)
})";

/// The second Conv's bias loses 0.000085, a fifth of a step of the result. bfloat16 loses 0.000088 of it, but also
/// rounds factors, which the defect does not.
TEST(Check, ExcusesNoBiasByAPrecisionOfFactors) {
  const TemporaryDirectory scratch;
  const std::string bfloat16 = "amb-factor-precision:rounded-to-bfloat16";
  const Outcome checked = check(scratch, two_convolutions,
                                {"--backend", "wrong:quantizes-bias", "--backend", "wrong:" + bfloat16, "--quiet"});
  SCOPED_TRACE(checked.out + checked.error);
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_THAT(checked.out, ContainsRegex("unit 2 Conv [^ ]+ +right +right \\*\n.*unit 6 Conv [^ ]+ +WRONG +right \\*"));
  EXPECT_THAT(unwrapped(checked.out), AllOf(HasSubstr("rounds a float bias to a multiple of the product of the scales"),
                                            HasSubstr("* 3 parts are right by a permitted reading: "
                                                      "amb-factor-precision=rounded-to-bfloat16 ")));
}

/// 100 times beta is 106.6, and times alpha 106.4. No single rewrite gives the latter, but a node that rounds toward
/// zero does. The model has that node, which is right.
TEST(Check, BlamesNoNodeThatIsRightOnItsOwn) {
  const TemporaryDirectory scratch;
  const std::string graph =
      R"(g (uint8[256,1] x) => (uint8[256,2] y) <float s = {1}, uint8 p = {3}, uint8[1,2] w = {3, 3},
      float[2] c = {100, 100}> {
    a = DequantizeLinear(x, s, p)
    b = DequantizeLinear(w, s, p)
    d = Gemm<alpha = 1.064, beta = 1.066>(a, b, c)
    y = QuantizeLinear(d, s, p)
  })";
  const Outcome checked =
      check(scratch, graph, {"--backend", "wrong:ignores-beta+multiplies-bias-by-alpha", "--quiet"});
  SCOPED_TRACE(checked.out + checked.error);
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_THAT(unwrapped(checked.out),
              AllOf(HasSubstr("1 problem without a known cause"), Not(HasSubstr("as if the backend"))));
}

/// The largest element of sums that round is not judged, which is no failure.
TEST(Check, SaysWhatIsUndecided) {
  const TemporaryDirectory scratch;
  const Outcome checked = check(scratch, R"(g (uint8[4] x, float[1] w) => (int64[1] y, float[1] z)
    <float s = {0.1}, float[4] t = {0.3, 0.2, 0.1, 0.7}> {
    a = DequantizeLinear(x, s)
    b = Add(a, t)
    y = ArgMax(b)
    z = Relu(w)
  })",
                                {"--backend", "reference", "--quiet"});
  EXPECT_EQ(checked.exit_code, 0) << checked.error;
  EXPECT_THAT(checked.out, AllOf(ContainsRegex("unit 1 Add, ArgMax uint8\\[4\\] +undecided"),
                                 HasSubstr("undecided in 1 part: another implementation may get other bits: ArgMax"),
                                 EndsWith("NOT CHECKED: 1 of 4 nodes, which is in no part\n"
                                          "NOT JUDGED: 1 of 2 parts for reference\n")));
}

/// A named backend that is wrong, and a configuration of it that is right.
TEST(Check, TriesRepairs) {
  const TemporaryDirectory scratch;
  const fs::path backend = scratch.path() / "backends" / "npu";
  const fs::path worker = backend / "worker";
  write_file(worker, fmt::format("#!/bin/sh\ncase $1 in right) b=reference;; *) b=wrong:ignores-zero-point;; esac\n"
                                 "exec {} serve --backend $b\n",
                                 TOUCHSTONE_PROGRAM));
  fs::permissions(worker, fs::perms::owner_all);
  write_file(backend / "repairs", "# a comment\nnpu:right  exact_mode = 1\nnpu:wrong  fast_mode = 0\n");
  write_file(backend / "levels", "npu:low\nnpu:right\n");
  const Rewire finds_backend = [&] { ::setenv("TOUCHSTONE_BACKENDS", (scratch.path() / "backends").c_str(), 1); };
  const Outcome run = touchstone(scratch,
                                 {"run", "--backend", "npu", "--suite", "graphs", "--tier", "smoke", "--filter",
                                  "graphs/dq_relu_ql/10/*/zp_middle/positive/same/*", "--quiet"},
                                 finds_backend);
  EXPECT_EQ(run.exit_code, 1) << run.error;
  EXPECT_THAT(run.out,
              AllOf(HasSubstr("Fix: exact_mode = 1: right in 1 of 1 wrong case (tried)"), Not(HasSubstr("fast_mode"))));
  // The first level is also the backend without a level, which means the last one.
  write_file(backend / "levels", "npu\nnpu:right\n");
  const Outcome twice =
      check(scratch, one_layer, {"--dim", "n=2", "--backend", "npu", "--backend", "npu:right"}, finds_backend);
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.error, HasSubstr("npu:right is given twice"));
  write_file(backend / "levels", "npu:low\nnpu:right\n");
  for (const char* name : {"npu", "npu:low"}) {
    const Outcome checked = check(scratch, one_layer, {"--dim", "n=2", "--backend", name, "--quiet"}, finds_backend);
    EXPECT_EQ(checked.exit_code, 1) << checked.error;
    EXPECT_THAT(checked.out, HasSubstr("Fix: exact_mode = 1: right in 3 of 3 wrong parts (tried)"));
    EXPECT_THAT(checked.out, Not(HasSubstr("fast_mode")));
  }
  write_file(backend / "repairs", "npu:wrong  fast_mode = 0\nnpu:other  slow_mode = 1\n");
  const std::string none = "Fix: no setting that was tried makes any wrong part right: fast_mode = 0, slow_mode = 1\n";
  const Outcome unrepaired =
      check(scratch, one_layer, {"--dim", "n=2", "--backend", "npu", "--overwrite", "--quiet"}, finds_backend);
  EXPECT_THAT(unwrapped(unrepaired.out), HasSubstr(unwrapped(none))) << unrepaired.error;
  EXPECT_THAT(unrepaired.out, Not(HasSubstr("(tried)")));
}

/// The backend interrupts the program when it is started for the third time, after a trial and the first part: to run
/// this part, which is wrong, again. The other backend comes too late.
TEST(Check, ContinuesWhatWasInterrupted) {
  const TemporaryDirectory scratch;
  const fs::path worker = scratch.path() / "worker";
  write_file(
      worker,
      fmt::format(
          "#!/bin/sh\ncd '{}'\n"
          "if [ -e first ] && ! [ -e second ]; then\n"
          "  until [ -s program ]; do sleep 0.01; done\n"
          "  touch second\n  kill -INT $(cat program)\nfi\n"
          "if [ -e tried ]; then touch first; fi\ntouch tried\nexec {} serve --backend wrong:ignores-zero-point\n",
          scratch.path().string(), TOUCHSTONE_PROGRAM));
  fs::permissions(worker, fs::perms::owner_all);
  write_file(scratch.path() / "net.onnx", model_of_graph(one_layer));
  write_file(scratch.path() / "other.onnx", model_of_graph(one_layer));
  const fs::path reports = scratch.path() / "touchstone-check";
  const std::string backend = "exec:" + worker.string();
  std::vector<std::string> command{"check", "net.onnx", "--dim", "n=2", "--jobs", "1", "--quiet", "--no-sandbox"};
  for (const std::string& name : {std::string("reference"), backend, std::string("optimized")})
    command.insert(command.end(), {"--backend", name});
  const auto expect_results = [&](const char* first, const char* last, const char* of_the_late_one) {
    const auto parts = nlohmann::json::parse(content_of(reports / "check.json"))["parts"];
    EXPECT_EQ(parts[0]["results"],
              (nlohmann::json{{"reference", "right"}, {backend, first}, {"optimized", of_the_late_one}}));
    EXPECT_EQ(parts[2]["results"],
              (nlohmann::json{{"reference", "right"}, {backend, last}, {"optimized", of_the_late_one}}));
  };

  const pid_t program = start(scratch, command);
  write_file(scratch.path() / "program", std::to_string(program));
  const Outcome interrupted = wait_for(scratch, program);
  SCOPED_TRACE(interrupted.out + interrupted.error);
  EXPECT_EQ(interrupted.exit_code, 4);
  EXPECT_THAT(interrupted.out, AllOf(HasSubstr("UNFINISHED: interrupted: 2 of 3 cases are not run"),
                                     HasSubstr("1 of 3 parts are judged: 0 right, 1 wrong; 2 not run")));
  const std::string to_continue = "to continue: touchstone check net.onnx --resume --output touchstone-check";
  EXPECT_THAT(interrupted.error, HasSubstr(to_continue));
  EXPECT_EQ(interrupted.error.find(to_continue), interrupted.error.rfind(to_continue)) << "once";
  EXPECT_THAT(content_of(reports / "check.html"), HasSubstr("interrupted: 2 of 3 cases are not run"));
  expect_results("wrong", "not_run", "not_run");

  const Outcome new_one = touchstone(scratch, command);
  EXPECT_EQ(new_one.exit_code, 2) << "it would lose the results";
  EXPECT_THAT(new_one.error, HasSubstr("continue it with touchstone check net.onnx --resume"));
  command.emplace_back("--resume");
  const Outcome resumed = touchstone(scratch, command);
  EXPECT_EQ(resumed.exit_code, 1) << resumed.error;
  expect_results("wrong", "wrong", "right");

  command[1] = "other.onnx";
  const Outcome other = touchstone(scratch, command);
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.error, ContainsRegex("--resume: touchstone-check/reference is of the model .*/net.onnx"));
}

/// The other backends are checked nevertheless.
TEST(Check, KeepsResultsIfItIsRefused) {
  const TemporaryDirectory scratch;
  const std::vector<std::string> options{"--dim", "n=2", "--backend", "reference"};
  ASSERT_EQ(check(scratch, one_layer, options).exit_code, 0);
  for (const char* refused : {"--strict", "--expectations=none.json"}) {
    std::vector<std::string> again = options;
    again.insert(again.end(), {"--resume", refused});
    EXPECT_EQ(check(scratch, one_layer, again).exit_code, 2) << refused;
    EXPECT_TRUE(fs::exists(scratch.path() / "touchstone-check/check.html")) << refused;
  }
}

TEST(Check, KeepsTheResultsBesideABackendThatFails) {
  const TemporaryDirectory scratch;
  const Outcome checked =
      check(scratch, one_layer, {"--dim", "n=2", "--quiet", "--backend", "exec:false", "--backend", "reference"});
  SCOPED_TRACE(checked.out + checked.error);
  EXPECT_EQ(checked.exit_code, 3);
  EXPECT_THAT(checked.error, HasSubstr("touchstone: exec:false: "));
  EXPECT_THAT(checked.out, HasSubstr("3 of 3 nodes are judged: 3 right, 0 wrong"));
  EXPECT_TRUE(fs::exists(scratch.path() / "touchstone-check" / "check.html"));
}

/// The node that dequantizes constants has no inputs.
TEST(Check, CountsThePartsThatTheInputsReach) {
  const TemporaryDirectory scratch;
  onnx::TensorProto input;
  input.set_data_type(onnx::TensorProto::FLOAT);
  for (const int length : {2, 8}) input.add_dims(length);
  input.set_raw_data(std::string(std::size_t{2 * 8} * sizeof(float), '\0'));
  write_file(scratch.path() / "input_0.pb", input);
  const Outcome checked = check(scratch, product_of_floats, {"--data", "input_0.pb"});
  EXPECT_THAT(unwrapped(checked.out),
              HasSubstr("1 of 1 part with inputs gets values from your set of inputs; all get "))
      << checked.error;
}

TEST(Check, SaysThatInputsAreInvalidWithoutABackend) {
  const TemporaryDirectory scratch;
  const reference::Tensor ids = conformance::tensor(spec::ElementType::int64, {2}, {0, 7});
  write_file(scratch.path() / "ids.pb", conformance::tensor_file_content(ids, "i"));
  const Outcome checked = check(scratch, R"(g (int64[2] i) => (uint8[2] y) <float[2] t = {1, 2}, float s = {0.5}> {
    [lookup] e = Gather(t, i)
    y = QuantizeLinear(e, s)
  })",
                                {"--data", "ids.pb", "--output", "out"});
  EXPECT_EQ(checked.exit_code, 3) << checked.error;
  EXPECT_THAT(checked.out, testing::EndsWith("INVALID INPUTS: 1 node cannot take them\n"));
  const std::string why = "ids.pb: node 0 Gather lookup: the index 7 is out of range for an axis of length 2";
  EXPECT_THAT(unwrapped(checked.out), ContainsRegex("! invalid with your inputs in [^ ]*" + why));
  EXPECT_THAT(content_of(scratch.path() / "out" / "check.json"), HasSubstr(why));
}

/// What was printed before a message to standard error stands before it, also in a file.
TEST(Check, WritesBothStreamsInOrder) {
  const TemporaryDirectory scratch;
  const std::string backend = fmt::format("exec:{} serve --backend reference", TOUCHSTONE_PROGRAM);
  const Outcome checked =
      check(scratch, one_layer, {"--dim", "n=2", "--backend", backend}, [] { ::dup2(STDOUT_FILENO, STDERR_FILENO); });
  EXPECT_THAT(unwrapped(checked.out),
              ContainsRegex("nodes can be checked.* touchstone: the backend runs .* 3 of 3 nodes are judged"));
}

TEST(Check, StartsTheBackendBeforeItExaminesTheModel) {
  const TemporaryDirectory scratch;
  const Outcome checked = check(scratch, one_layer, {"--dim", "n=2", "--backend", "exec:false"});
  EXPECT_EQ(checked.exit_code, 3);
  EXPECT_EQ(checked.out, "");
  EXPECT_THAT(checked.error, HasSubstr("the worker 'false' did not start"));
}

TEST(Check, RefusesBadArguments) {
  const TemporaryDirectory scratch;
  struct Row {
    std::vector<std::string> options;
    int exit_code;
    const char* message;
  };
  const Row rows[]{
      {{}, 3, "the lengths of these dimensions are not in the model: n; give them: --dim 'n=1'"},
      {{"--dim", "n"}, 2, "--dim 'n': write NAME=LENGTH"},
      {{"--dim", "n=-1"}, 2, "--dim 'n=-1': write NAME=LENGTH"},
      {{"--dim", "n=0"}, 2, "--dim 'n=0': the length must be at least 1"},
      {{"--dim", "n=1", "--dim", "n=2"}, 2, "--dim n=2 contradicts --dim n=1"},
      {{"--dim", "n=1", "--dim", "m=2"}, 3, "--dim m=2: no input has a dimension"},
      {{"--dim", "n=1", "--backend", "nobody"}, 2, "unknown backend 'nobody'"},
      {{"--dim", "n=1", "--backend", "optimized", "--backend", "optimized"}, 2, "optimized is given twice"},
      {{"--dim", "n=1", "--backend", "reference", "--output", "net.onnx"}, 2, "--output net.onnx: Not a directory"},
  };
  for (const Row& row : rows) {
    const Outcome checked = check(scratch, one_layer, row.options);
    EXPECT_EQ(checked.exit_code, row.exit_code) << row.message;
    EXPECT_THAT(checked.error, HasSubstr(row.message));
    EXPECT_EQ(checked.out, "") << row.message;
  }
}

TEST(Check, NeedsAModelWithQuantization) {
  const TemporaryDirectory scratch;
  const Outcome checked = check(scratch, "g (float[4] x) => (float[4] y) { y = Relu(x) }", {"--output", "out/here"});
  EXPECT_EQ(checked.exit_code, 5);
  EXPECT_THAT(checked.error, HasSubstr("net.onnx has no QuantizeLinear or DequantizeLinear node"));
  EXPECT_FALSE(fs::exists(scratch.path() / "out")) << "nothing is written";
}

/// The unit has no quantization operator, also for the backend that reads it.
TEST(Check, JudgesWhatMovesQuantizedTensors) {
  const TemporaryDirectory scratch;
  const Outcome checked = check(scratch, R"(g (float[2,3] x) => (uint8[3,2] y) <float s = {0.5}> {
    q = QuantizeLinear(x, s)
    y = Transpose(q)
  })",
                                {"--backend", "reference", "--quiet"});
  EXPECT_EQ(checked.exit_code, 0) << checked.error;
  EXPECT_THAT(checked.out, AllOf(HasSubstr("2 of 2 nodes can be checked, in 1 node and 1 unit of"),
                                 ContainsRegex("unit 1 Transpose uint8\\[2,3\\] +right"),
                                 HasSubstr("2 of 2 parts are judged: 2 right, 0 wrong")));
}

TEST(Check, EndsWithFourIfNoNodeCouldBeExamined) {
  const char* graph = R"(g (float[3] x) => (uint8[1,n] y) <float s = {0.5}, uint8 p = {3}> {
    i = NonZero(x)
    f = Cast <to = 1> (i)
    y = QuantizeLinear(f, s, p)
  })";
  const TemporaryDirectory scratch;
  const Outcome examined = check(scratch, graph);
  EXPECT_EQ(examined.exit_code, 4) << examined.error;
  EXPECT_THAT(examined.out,
              AllOf(HasSubstr("UNKNOWN whether it is legal"), EndsWith("NOT EXAMINED: 1 of 1 quantization nodes\n")));
  const Outcome run = check(scratch, graph, {"--backend", "reference", "--quiet"});
  SCOPED_TRACE(run.out + run.error);
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.out, AllOf(HasSubstr("0 of 2 parts are judged: 0 right, 0 wrong; 2 undecided"),
                             EndsWith("NOT JUDGED: 2 of 2 parts for reference\n")));
}

/// What check ran can be run again on its own.
TEST(Check, NamesCasesThatCanBeReplayed) {
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "net.onnx", model_of_graph(one_layer));
  const Outcome replayed = touchstone(scratch, {"replay", "--suite", "model", "--data", "net.onnx", "--dim", "n=2",
                                                "model/net/unit/1/Relu", "--backend", "wrong:ignores-zero-point"});
  EXPECT_EQ(replayed.exit_code, 1) << replayed.error;
}

}  // namespace
}  // namespace touchstone::tools::check_test
