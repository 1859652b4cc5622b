// Parts of Markdown documents, with untrusted texts made inactive.
#pragma once

#include <string>
#include <vector>

#include "conformance/report/layout.h"

namespace touchstone::conformance {

enum class Mentions { inactive, unchanged };

/// The text on one line, without active Markdown or HTML. Sites that show Markdown notify the users that "@name"
/// mentions, even after a backslash; a zero-width space after "@" prevents this.
std::string escaped(const std::string& text, Mentions mentions = Mentions::inactive);

/// The text as code, in which sites look for no mentions: a command can be copied.
std::string code(const std::string& text);

/// A line of a table. The fields are Markdown.
std::string table_row(const std::vector<std::string>& fields);

/// The first column is text, the others are numbers.
std::string table_head(const std::vector<std::string>& headings);

/// The headings and fields of the table are Markdown.
std::string render_markdown(const Table& table);

}  // namespace touchstone::conformance
