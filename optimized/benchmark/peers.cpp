#include "optimized/benchmark/peers.h"

#include <cstring>
#include <vector>

#include "optimized/benchmark/plain_loop.h"
#include "optimized/benchmark/traffic.h"

namespace touchstone::optimized::benchmarks {

namespace {

bool always(const Row&) { return true; }

template <Isa isa>
Work touchstone_work(Workload& workload) {
  return {[&workload] { run_touchstone(workload, workload.y, isa); },
          std::string(name(run_touchstone(workload, workload.y, isa)))};
}

/// Moves the same total number of bytes: half of them are read, and half are written.
Work memcpy_work(Workload& workload) {
  const std::int64_t half = (workload.bytes_read() + workload.bytes_written()) / 2;
  struct Copy {
    Buffer from;
    Buffer to;
  };
  const auto copy = std::make_shared<Copy>(Copy{Buffer(half), Buffer(half)});
  std::memset(copy->from.bytes().data(), 1, copy->from.bytes().size());
  return {[copy] { std::memcpy(copy->to.bytes().data(), copy->from.bytes().data(), copy->from.bytes().size()); }, {}};
}

template <auto function>
Work traffic_work(Workload& workload) {
  return {[&workload] { function(workload.x.bytes(), workload.y.bytes()); }, {}};
}

using FindPlainLoop = PlainLoop (*)(bool quantizes, spec::ElementType x, spec::ElementType y, bool along_axis);

template <FindPlainLoop find>
PlainLoop plain_loop_of(const Row& row) {
  if (row.block > 0 && row.inner > 1) return nullptr;
  return find(row.op == Operator::quantize, row.x, row.y, row.axis > 1 && row.block == 0);
}

template <FindPlainLoop find>
bool has_plain_loop(const Row& row) {
  return plain_loop_of<find>(row) != nullptr;
}

template <FindPlainLoop find>
Work plain_loop_work(Workload& workload) {
#ifdef __clang__
  constexpr const char* compiler = __VERSION__;
#else
  constexpr const char* compiler = "GCC " __VERSION__;
#endif
  const Geometry& geometry = workload.geometry;
  const PlainOperands operands{workload.x.bytes().data(),
                               workload.scale.bytes().data(),
                               workload.zero_point ? workload.zero_point->bytes().data() : nullptr,
                               workload.y.bytes().data(),
                               geometry.outer,
                               geometry.axis,
                               geometry.inner,
                               geometry.block};
  return {[operands, loop = plain_loop_of<find>(workload.row)] { loop(operands); }, compiler};
}

template <FindPlainLoop find>
constexpr Peer plain_loop(std::string_view name) {
  return {name, true, has_plain_loop<find>, plain_loop_work<find>};
}

}  // namespace

std::span<const Peer> peers() {
  static const std::vector<Peer> available = [] {
    std::vector<Peer> list;
    if (is_available(Isa::avx2)) {
      list.push_back({"touchstone", true, always, touchstone_work<Isa::avx2>});
      list.push_back(plain_loop<for_avx2::find_plain_loop>("plain_loop"));
      list.push_back({"traffic", false, always, traffic_work<move_traffic>});
      list.push_back({"traffic_streaming", false, always, traffic_work<stream_traffic>});
    }
    list.push_back({"portable", true, always, touchstone_work<Isa::portable>});
    list.push_back(plain_loop<for_any_cpu::find_plain_loop>("portable_plain_loop"));
    list.push_back({"memcpy", false, always, memcpy_work});
#ifdef TOUCHSTONE_HAS_ONEDNN
    list.push_back(onednn_reorder);
#endif
    return list;
  }();
  return available;
}

}  // namespace touchstone::optimized::benchmarks
