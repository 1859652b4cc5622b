// oneDNN's reorder, which converts types with one scale and one zero point. It supports neither 4-bit types nor float8,
// nor zero points along an axis.
#include <cstdlib>
#include <cstring>
#include <dnnl.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "optimized/benchmark/peers.h"

namespace touchstone::optimized::benchmarks {

namespace {

using spec::ElementType;

dnnl::memory::data_type type_of(ElementType type) {
  switch (type) {
    case ElementType::float32: return dnnl::memory::data_type::f32;
    case ElementType::uint8: return dnnl::memory::data_type::u8;
    case ElementType::int8: return dnnl::memory::data_type::s8;
    default: return dnnl::memory::data_type::undef;
  }
}

bool supports(const Row& row) {
  return row.axis == 1 && type_of(row.x) != dnnl::memory::data_type::undef &&
         type_of(row.y) != dnnl::memory::data_type::undef;
}

float first_scale(const Workload& workload) {
  float scale = 0;
  std::memcpy(&scale, workload.scale.bytes().data(), sizeof scale);
  return scale;
}

std::int32_t first_zero_point(const Workload& workload) {
  const auto code = std::to_integer<std::uint8_t>(workload.zero_point->bytes()[0]);
  return quantized_type(workload.row) == ElementType::int8 ? static_cast<std::int8_t>(code) : code;
}

std::string version() {
  const dnnl_version_t* version = dnnl_version();
  return std::to_string(version->major) + "." + std::to_string(version->minor) + "." + std::to_string(version->patch);
}

Work prepare(Workload& workload) {
  // oneDNN was built with OpenMP, which reads this variable before main().
  if (const char* threads = std::getenv("OMP_NUM_THREADS"); threads == nullptr || std::string_view(threads) != "1")
    throw std::runtime_error("oneDNN is to run in one thread: set OMP_NUM_THREADS=1");
  const bool quantizes = workload.row.op == Operator::quantize;
  const float scale = first_scale(workload);
  dnnl::primitive_attr attributes;
  attributes.set_output_scales(0, {quantizes ? 1 / scale : scale});
  attributes.set_zero_points(quantizes ? DNNL_ARG_DST : DNNL_ARG_SRC, 0, {first_zero_point(workload)});

  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  const auto memory = [&](ElementType type, Buffer& buffer) {
    const dnnl::memory::desc layout({workload.elements}, type_of(type), dnnl::memory::format_tag::a);
    return dnnl::memory(layout, engine, buffer.bytes().data());
  };
  const dnnl::memory from = memory(workload.row.x, workload.x);
  const dnnl::memory to = memory(workload.row.y, workload.y);
  const dnnl::reorder reorder(dnnl::reorder::primitive_desc(from, to, attributes));
  return {[reorder, from, to, stream = dnnl::stream(engine)]() mutable {
            reorder.execute(stream, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
            stream.wait();
          },
          version()};
}

}  // namespace

const Peer onednn_reorder{"onednn", true, supports, prepare};

}  // namespace touchstone::optimized::benchmarks
