// Changes of a node before it is computed: wrong axes, blocks, attributes, packing of inputs, and operands of an
// earlier run. Each returns false if it left the node unchanged.
#pragma once

#include <cstdint>
#include <optional>

#include "conformance/diagnose/wrong_model.h"
#include "conformance/files/names.h"

namespace touchstone::conformance {

/// The value of an integer attribute or its default; std::nullopt if it has neither, or another type.
std::optional<std::int64_t> integer_attribute(const Node& node, AttributeMeaning meaning);
bool has_attribute(const Node& node, AttributeMeaning meaning);

// Wrong axes, of nodes with several parameters. They change nothing if the parameters do not fit the wrong axis.
bool ignore_axis(Node& node, const ModelRun& run);
bool use_first_axis(Node& node, const ModelRun& run);
bool use_axis_1(Node& node, const ModelRun& run);
bool use_last_axis(Node& node, const ModelRun& run);
bool use_first_axis_that_fits(Node& node, const ModelRun& run);
bool use_last_axis_that_fits(Node& node, const ModelRun& run);
bool use_axis_before_negative(Node& node, const ModelRun& run);
bool use_axis_after_negative(Node& node, const ModelRun& run);
bool drop_sign_of_axis(Node& node, const ModelRun& run);
bool use_first_axis_by_default(Node& node, const ModelRun& run);
bool use_last_axis_by_default(Node& node, const ModelRun& run);
bool take_another_axis_at_rank_5(Node& node, const ModelRun& run);

/// Takes constants without elements for scalars 0; x has the shape of a scale with one element.
bool read_empty_constants_as_zero(Node& node, const ModelRun& run);

/// Reads scales as if their rows were their columns, in a tensor of the same shape.
bool transpose_scales(Node& node, const ModelRun& run);
bool infer_block_size(Node& node, const ModelRun& run);

bool ignore_output_dtype(Node& node, const ModelRun& run);
bool default_to_int8(Node& node, const ModelRun& run);
bool default_to_unsaturated(Node& node, const ModelRun& run);

bool keep_first_scale(Node& node, const ModelRun& run);
bool keep_first_zero_point(Node& node, const ModelRun& run);
bool keep_first_input(Node& node, const ModelRun& run);
/// Reads rows of x with the length that they had in the first run.
bool keep_first_strides(Node& node, const ModelRun& run);

/// Takes the first scale for all if they differ from it by at most one part in a hundred.
bool merge_similar_scales(Node& node, const ModelRun& run);
/// Takes the float8e8m0 code of 128 for NaN.
bool read_scale_128_as_nan(Node& node, const ModelRun& run);

// Packed inputs: the elements of a byte in the other order, or rows that begin at a byte.
bool reverse_packed_input(Node& node, const ModelRun& run);
bool reverse_packed_zero_point(Node& node, const ModelRun& run);
bool reverse_packed_operands(Node& node, const ModelRun& run);
bool pad_rows_of_input(Node& node, const ModelRun& run);

}  // namespace touchstone::conformance
