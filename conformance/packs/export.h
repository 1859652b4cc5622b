// Writes a pack: cases for a device, in the layout of packs/layout.h.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "conformance/files/file_error.h"
#include "conformance/packs/manifest.h"
#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

struct ExportOptions {
  bool overwrite = false;
  unsigned jobs = 1;  ///< threads; the pack does not depend on their number
};

struct Exported {
  std::size_t cases = 0;
  std::size_t must_reject = 0;  ///< included in `cases`
  std::size_t controls = 0;     ///< not included in `cases`
  std::size_t unreadable = 0;   ///< not included in `cases`: listed only in the manifest
  std::size_t declined = 0;     ///< likewise: cases that the device does not support
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

/// Called for each case, in no particular order, and never by two threads at once.
using OnExported = std::function<void(std::string_view id)>;

/// The directory may not be replaced, or the cases cannot be in one pack. Nothing was written.
class ExportRefused : public FileError {
  using FileError::FileError;
};

/// Throws ExportRefused as PackDirectory does, and if two cases have the same name; FileError if a file cannot be
/// written. No case may be a sweep.
Exported export_pack(const std::filesystem::path& directory, const PackInfo& pack,
                     const std::vector<PlannedCase>& cases, const ExportOptions& options,
                     const OnExported& on_exported);

}  // namespace touchstone::conformance
