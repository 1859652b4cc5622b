// Shapes of x and of its parameters, and the attributes that relate them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "conformance/files/names.h"
#include "reference/model/parameter_map.h"

namespace touchstone::conformance {

struct Geometry {
  Granularity granularity;
  Shape x;
  std::optional<std::int64_t> axis = std::nullopt;  ///< the attribute; std::nullopt if absent
  std::int64_t block_size = 0;                      ///< the attribute; 0 if absent; unused if not blocked
  bool one_element = false;                         ///< per tensor: parameters of shape [1] instead of []
  spec::PerAxisScale per_axis_scale = spec::PerAxisScale::along_axis;  ///< per axis: the shape of the parameters

  /// The shape of scale and zero point.
  Shape parameters() const;
  /// Which parameter applies to which element of x.
  reference::Sharing sharing() const;
  /// "3x5x4_axis-2_block3", "scalar", "0x3".
  std::string name() const;
  std::int64_t elements() const;
};

/// Whether a node of the version can have the geometry if the quantized tensor has type `x`.
bool can_have(const OperatorVersion& version, ElementType x, const Geometry& geometry);

/// The same, but also accepts a rank of x that a permitted reading rejects.
bool can_have_at_any_rank(const OperatorVersion& version, ElementType x, const Geometry& geometry);

/// The geometries for the case of a cell: at least 48 elements, or enough for all codes of an 8-bit type, and nothing
/// that a permitted reading rejects.
std::span<const Geometry> cell_geometries(Granularity granularity, bool with_all_codes_of_8_bits);

/// Geometries with at least as many parameters as a type of 8 bits has codes, except per tensor. No reading rejects
/// them.
std::span<const Geometry> every_code_geometries(Granularity granularity);

/// Other legal geometries that deserve a case: ranks 0 to 8, empty tensors, odd counts, every axis, blocks of one
/// element and of a whole dimension. One block for a whole 1-D x is per tensor, and its scale has shape [1].
std::span<const Geometry> special_geometries(Granularity granularity);

/// Blocks of 1, 32, 64 and 128 elements, and of a whole dimension, along the first and the last of two dimensions.
std::span<const Geometry> common_block_geometries();

/// For versions with a default block size: one block and several blocks, along the first and the last of two
/// dimensions.
std::span<const Geometry> default_block_geometries();

/// Ranks that a permitted reading of opmx rejects.
std::span<const Geometry> other_rank_geometries();

/// Geometries with so many elements that backends use several threads.
std::span<const Geometry> large_geometries(Granularity granularity);

}  // namespace touchstone::conformance
