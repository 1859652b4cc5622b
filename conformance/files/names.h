// What the suite calls by the same names as the layers below it.
#pragma once

#include "reference/model/node.h"
#include "reference/model/tensor.h"
#include "spec/applicability.h"
#include "spec/element_type.h"
#include "spec/operator_version.h"

namespace touchstone::conformance {

using reference::Node;
using reference::Shape;
using reference::Tensor;
using spec::AttributeMeaning;
using spec::ElementType;
using spec::ElementTypeInfo;
using spec::Granularity;
using spec::NumberKind;
using spec::Operator;
using spec::OperatorVersion;

}  // namespace touchstone::conformance
