#include "conformance/diagnose/wrong_graphs.h"

#include <vector>

#include "conformance/diagnose/graph_editor.h"

namespace touchstone::conformance {

bool GraphChange::operator()(GraphModel& model) const {
  if (whole != nullptr) return whole(model);
  Editor editor(model);
  bool changed = false;
  for (const std::string_view op : ops)
    for (std::size_t i = 0; i < editor.nodes().size(); ++i) {
      GraphNode& changing = editor.nodes()[i];
      if (op.empty() || changing.op_type != op) continue;
      GraphNode* given = editor.producer_of_input(changing, operand);
      if (!before.empty() && !is(given, before)) continue;
      if (replace != nullptr) {
        Replacement nodes(changing.outputs[0]);
        if (!replace(editor, changing, nodes)) continue;
        i = nodes.put(editor, i);
        changed = true;
      } else {
        changed = (node != nullptr         ? node(editor, changing)
                   : of_operand != nullptr ? of_operand(editor, *given)
                                           : pair(editor, *given, changing)) ||
                  changed;
      }
    }
  return changed;
}

std::span<const WrongModel> wrong_graphs() {
  static const std::vector<WrongModel> all = [] {
    std::vector<WrongModel> rows;
    for (const auto part : {wrong_graphs_of_pairs(), wrong_graphs_of_elements(), wrong_graphs_of_products()})
      rows.insert(rows.end(), part.begin(), part.end());
    return rows;
  }();
  return all;
}

}  // namespace touchstone::conformance
