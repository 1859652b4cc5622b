#include "conformance/check/model_drawing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/check/html_text.h"

namespace touchstone::conformance {

namespace {

constexpr std::size_t most_boxes = 600;
constexpr std::size_t longest_repeated = 64;  ///< layers

constexpr std::size_t columns = 10;
constexpr std::size_t column_width = 112, box_width = 92, box_height = 36;
constexpr std::size_t lane_height = 56, margin = 26, square = 10;
constexpr std::size_t longest_text = 12, most_operators = 3, most_sources = 3;

struct Box {
  std::vector<std::size_t> nodes = {};        ///< in the order of the graph
  std::optional<std::size_t> part = {};       ///< std::nullopt: not checked
  std::set<std::size_t> sources = {};         ///< earlier boxes whose values it reads
  std::vector<std::string_view> styles = {};  ///< one for each backend
  std::size_t number = 0;                     ///< of its first node of interest
  std::string text = {};
  std::string title = {};

  bool is_right() const {
    return std::ranges::all_of(styles, [](std::string_view style) { return style == "right"; });
  }
};

/// Puts the nodes of a model into boxes.
class Boxes {
 public:
  explicit Boxes(const Overview& overview)
      : overview_(overview), graph_(overview.parts.model().proto().graph()), box_of_(size()) {
    std::iota(box_of_.begin(), box_of_.end(), std::size_t{0});
    for (const CheckedBackend& backend : overview.backends) results_.push_back(overview.results_by_node(backend));
    find_parts();
    find_connections();
    join_nodes();
  }

  /// In an order in which values are computed, if there is one.
  std::vector<Box> make() {
    std::map<std::size_t, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < size(); ++i)
      if (is_drawn_[i]) members[root(i)].push_back(i);
    std::vector<Box> boxes;
    for (auto& [root, nodes] : members) boxes.push_back({.nodes = std::move(nodes)});
    std::ranges::sort(boxes, {}, [](const Box& box) { return box.nodes.back(); });
    std::map<std::size_t, std::size_t> place;
    for (std::size_t b = 0; b < boxes.size(); ++b) place.emplace(root(boxes[b].nodes.front()), b);
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      describe(boxes[b]);
      for (const std::size_t node : boxes[b].nodes)
        for (const std::size_t source : origins(node))
          if (const std::size_t from = place.at(root(source)); from < b) boxes[b].sources.insert(from);
    }
    return boxes;
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(graph_.node_size()); }
  const onnx::NodeProto& node(std::size_t index) const { return graph_.node(static_cast<int>(index)); }
  bool quantizes(std::size_t index) const { return node(index).op_type() == "QuantizeLinear"; }
  bool dequantizes(std::size_t index) const { return node(index).op_type() == "DequantizeLinear"; }

  std::size_t root(std::size_t index) {
    while (box_of_[index] != index) index = box_of_[index] = box_of_[box_of_[index]];
    return index;
  }

  void find_parts() {
    const ModelParts& parts = overview_.parts;
    parts_.resize(size());
    for (std::size_t number = 0; number < parts.size(); ++number)
      if (parts.kind_of(number) != "window")
        for (const std::size_t i : parts.part(number).represented) parts_[i].push_back(number);
  }

  /// Nodes that only compute constants are not drawn, unless they are checked.
  void find_connections() {
    std::set<std::string_view> given;
    for (const onnx::ValueInfoProto& input : graph_.input()) given.insert(input.name());
    for (const onnx::TensorProto& constant : graph_.initializer()) given.erase(constant.name());
    std::map<std::string_view, std::size_t> producer;
    sources_.resize(size());
    for (std::size_t i = 0; i < size(); ++i) {
      bool reads_input = false;
      for (const std::string& input : node(i).input()) {
        reads_input = reads_input || given.contains(input);
        if (const auto found = producer.find(input); found != producer.end()) sources_[i].push_back(found->second);
      }
      is_drawn_.push_back(reads_input || !sources_[i].empty() || !parts_[i].empty());
      if (is_drawn_[i])
        for (const std::string& output : node(i).output())
          if (!output.empty()) producer.emplace(output, i);
    }
  }

  bool share_unit(std::size_t one, std::size_t other) const {
    return std::ranges::any_of(parts_[one], [&](std::size_t number) {
      return overview_.parts.kind_of(number) == "unit" &&
             std::ranges::find(parts_[other], number) != parts_[other].end();
    });
  }

  /// A node that dequantizes belongs to the first unit that reads it. Nodes that are not checked are joined if no value
  /// goes from one to the other through a node that is.
  void join_nodes() {
    std::vector<std::size_t> level(size(), 0);  // how often the path changes between checked and not checked
    for (std::size_t i = 0; i < size(); ++i) {
      for (const std::size_t source : sources_[i])
        level[i] = std::max(level[i], level[source] + (parts_[source].empty() == parts_[i].empty() ? 0 : 1));
      for (const std::size_t source : sources_[i]) {
        const bool is_joined = parts_[i].empty() ? parts_[source].empty() && level[source] == level[i]
                                                 : !quantizes(source) && share_unit(source, i) &&
                                                       (!dequantizes(source) || joined_.insert(source).second);
        if (is_joined) box_of_[root(source)] = root(i);
      }
    }
  }

  /// The nodes in other boxes whose values this one reads, perhaps dequantized.
  std::vector<std::size_t> origins(std::size_t index) {
    std::vector<std::size_t> found;
    for (const std::size_t source : sources_[index]) {
      if (root(source) == root(index)) continue;
      if (joined_.contains(source))
        found.insert(found.end(), sources_[source].begin(), sources_[source].end());
      else
        found.push_back(source);
    }
    return found;
  }

  void describe(Box& box) {
    std::vector<std::size_t> about = box.nodes;
    std::erase_if(about, [&](std::size_t i) { return quantizes(i) || dequantizes(i); });
    if (about.empty()) about = box.nodes;
    box.number = about.front();
    if (!parts_[box.number].empty()) box.part = parts_[box.number].back();  // units come after nodes
    std::vector<std::string_view> operators;
    for (const std::size_t i : about) {
      std::string_view op = node(i).op_type();
      if ((quantizes(i) || dequantizes(i)) && op.ends_with("Linear")) op.remove_suffix(6);
      operators.push_back(op);
    }
    const bool is_long = operators.size() > most_operators && !box.part;
    box.text = is_long ? fmt::format("{} nodes", operators.size()) : fmt::format("{}", fmt::join(operators, ", "));
    box.title = box.part ? overview_.label_of(*box.part)
                         : fmt::format("not checked: {}",
                                       fmt::join(operators.begin(),
                                                 operators.begin() + static_cast<std::ptrdiff_t>(
                                                                         std::min<std::size_t>(operators.size(), 20)),
                                                 ", "));
    for (std::size_t b = 0; b < results_.size(); ++b) {
      const PartResult* worst = nullptr;
      for (const std::size_t i : box.nodes)
        if (const auto found = results_[b].find(i); found != results_[b].end())
          if (worst == nullptr || worst->tone() < found->second->tone()) worst = found->second;
      box.styles.push_back(worst == nullptr ? "none" : style_class(*worst));
      box.title +=
          fmt::format("\n{}: {}", overview_.backends[b].name, worst == nullptr ? "not checked" : worst->words());
    }
  }

  const Overview& overview_;
  const onnx::GraphProto& graph_;
  std::vector<std::map<std::size_t, const PartResult*>> results_;  ///< by backend
  std::vector<std::size_t> box_of_;                                ///< a tree of nodes for each box
  std::vector<std::vector<std::size_t>> parts_;                    ///< units and nodes, by node
  std::vector<std::vector<std::size_t>> sources_;                  ///< nodes that are drawn, by node
  std::vector<bool> is_drawn_;
  std::set<std::size_t> joined_;  ///< nodes that dequantize, and are in the box of a reader
};

/// The boxes that are not right, with their neighbours.
std::vector<Box> not_right(const std::vector<Box>& boxes) {
  std::set<std::size_t> kept;
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    const auto is_odd = [&](std::size_t i) { return boxes[i].part && !boxes[i].is_right(); };
    if (is_odd(b)) kept.insert(b), kept.insert(boxes[b].sources.begin(), boxes[b].sources.end());
    if (std::ranges::any_of(boxes[b].sources, is_odd)) kept.insert(b);
  }
  std::map<std::size_t, std::size_t> place;
  std::vector<Box> found;
  for (const std::size_t b : kept) {
    place.emplace(b, found.size());
    found.push_back(boxes[b]);
    found.back().sources.clear();
    for (const std::size_t source : boxes[b].sources)
      if (kept.contains(source)) found.back().sources.insert(place.at(source));
  }
  return found;
}

/// Where the boxes are drawn.
class Layout {
 public:
  explicit Layout(const std::vector<Box>& boxes) : boxes_(boxes), places_(boxes.size()) {
    find_layers();
    find_lanes();
    find_repeats();
  }

  std::size_t drawn_boxes() const {
    std::size_t count = 0;
    for (const std::size_t layer : drawn_) count += layers_[layer].size();
    return count;
  }

  std::string svg() const {
    const std::size_t lines = (drawn_.size() + columns - 1) / columns;
    std::vector<std::size_t> top{0};
    for (std::size_t line = 0; line < lines; ++line) {
      std::size_t lanes = 1;
      for (std::size_t c = line * columns; c < std::min(drawn_.size(), (line + 1) * columns); ++c)
        for (const std::size_t box : layers_[drawn_[c]]) lanes = std::max(lanes, places_[box].lane + 1);
      top.push_back(top.back() + margin + lanes * lane_height);
    }
    std::map<std::size_t, std::size_t> column_of;  // by layer
    for (std::size_t c = 0; c < drawn_.size(); ++c) column_of.emplace(drawn_[c], c);
    const auto at = [&](std::size_t box) {
      const std::size_t column = column_of.at(places_[box].layer);
      return Point{column % columns * column_width, top[column / columns] + margin + places_[box].lane * lane_height,
                   column};
    };
    std::string drawn = fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}" role="img">)",
                                    columns * column_width, top.back() + margin);
    for (std::size_t c = 0; c < drawn_.size(); ++c)
      if (copies_[c] > 1) drawn += repeat_mark(c, top[c / columns]);
    std::string over;
    for (const std::size_t layer : drawn_)
      for (const std::size_t box : layers_[layer]) over += drawn_box(box, at(box), connect(box, at, drawn));
    return drawn + over + "</svg>\n";
  }

 private:
  struct Place {
    std::size_t layer = 0;
    std::size_t lane = 0;
  };
  struct Point {
    std::size_t x, y, column;
  };

  /// What computes a value comes before what reads it. What reads nothing comes just before that.
  void find_layers() {
    std::vector<std::size_t> first_use(boxes_.size(), std::numeric_limits<std::size_t>::max());
    for (std::size_t b = 0; b < boxes_.size(); ++b) {
      for (const std::size_t source : boxes_[b].sources)
        places_[b].layer = std::max(places_[b].layer, places_[source].layer + 1);
      for (const std::size_t source : boxes_[b].sources)
        first_use[source] = std::min(first_use[source], places_[b].layer);
    }
    for (std::size_t b = 0; b < boxes_.size(); ++b) {
      Place& place = places_[b];
      if (boxes_[b].sources.empty() && first_use[b] < boxes_.size()) place.layer = first_use[b] - 1;
      if (layers_.size() <= place.layer) layers_.resize(place.layer + 1);
      layers_[place.layer].push_back(b);
    }
  }

  /// A box is in the same lane as the first one that it reads, if there is room.
  void find_lanes() {
    for (const std::vector<std::size_t>& layer : layers_) {
      std::set<std::size_t> used;
      for (const std::size_t box : layer) {
        std::size_t lane = boxes_[box].sources.empty() ? 0 : places_[*boxes_[box].sources.begin()].lane;
        if (used.contains(lane)) lane = 0;
        while (used.contains(lane)) ++lane;
        used.insert(places_[box].lane = lane);
      }
    }
  }

  /// Layers with equal texts have equal boxes, which read boxes at the same distance.
  std::vector<std::size_t> kinds_of_layers() const {
    std::map<std::string, std::size_t> known;
    std::vector<std::size_t> kinds;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      std::string text;
      for (const std::size_t box : layers_[l]) {
        text += fmt::format("{} {} {} {}\n", places_[box].lane, boxes_[box].part.value_or(std::string::npos),
                            boxes_[box].title, fmt::join(boxes_[box].styles, " "));
        for (const std::size_t source : boxes_[box].sources)
          text += fmt::format("{} {},", l - places_[source].layer, places_[source].lane);
      }
      kinds.push_back(known.emplace(text, known.size()).first->second);
    }
    return kinds;
  }

  /// Draws the first of sequences of layers that follow each other and are equal.
  void find_repeats() {
    const std::vector<std::size_t> kinds = kinds_of_layers();
    for (std::size_t first = 0; first < kinds.size();) {
      std::size_t length = 1, copies = 1;
      for (std::size_t l = 1; l <= std::min(longest_repeated, (kinds.size() - first) / 2); ++l) {
        std::size_t same = 0;
        while (first + l + same < kinds.size() && kinds[first + same] == kinds[first + l + same]) ++same;
        if (l * (same / l) > length * (copies - 1)) length = l, copies = same / l + 1;
      }
      for (std::size_t l = first; l < first + length * copies; ++l) {
        const std::size_t shown = first + (l - first) % length;
        for (std::size_t b = 0; b < layers_[l].size(); ++b) shown_.emplace(layers_[l][b], layers_[shown][b]);
      }
      for (std::size_t l = first; l < first + length; ++l) {
        drawn_.push_back(l);
        copies_.push_back(copies);
        begins_.push_back(l == first);
      }
      first += length * copies;
    }
  }

  std::string repeat_mark(std::size_t column, std::size_t top) const {
    const std::size_t x = column % columns * column_width;
    std::string mark = fmt::format(R"(<path class="repeat" d="M{} {}H{}"/>)", x, top + margin - 8, x + box_width);
    if (begins_[column] || column % columns == 0)
      mark += fmt::format(R"(<text class="small" x="{}" y="{}">×{}</text>)", x, top + margin - 12, copies_[column]);
    return mark;
  }

  /// Draws the lines to boxes that are not far. Returns the numbers of the others.
  template <typename At>
  std::vector<std::size_t> connect(std::size_t box, const At& at, std::string& drawn) const {
    std::set<std::size_t> far;
    const Point to = at(box);
    for (const std::size_t source : boxes_[box].sources) {
      const std::size_t shown = shown_.at(source);
      const Point from = at(shown);
      if (from.column / columns != to.column / columns || from.column >= to.column) {
        if (from.column + 1 != to.column) far.insert(boxes_[shown].number);
        if (from.column + 1 == to.column)  // the last of a line and the first of the next one
          drawn += fmt::format(R"(<path class="edge" d="M{} {}h18"/><path class="edge" d="M{} {}v-9"/>)",
                               from.x + box_width, from.y + box_height / 2, to.x + box_width / 2, to.y);
        continue;
      }
      if (from.y == to.y && from.column + 1 < to.column)  // below the boxes between them
        drawn += fmt::format(R"(<path class="edge" d="M{} {}C{} {} {} {} {} {}"/>)", from.x + box_width - 12,
                             from.y + box_height, from.x + box_width + 8, from.y + box_height + 17, to.x - 8,
                             to.y + box_height + 17, to.x + 12, to.y + box_height);
      else
        drawn += fmt::format(R"(<path class="edge" d="M{} {}C{} {} {} {} {} {}"/>)", from.x + box_width,
                             from.y + box_height / 2, from.x + column_width, from.y + box_height / 2,
                             to.x - (column_width - box_width), to.y + box_height / 2, to.x, to.y + box_height / 2);
    }
    return {far.begin(), far.end()};
  }

  std::string drawn_box(std::size_t index, const Point& at, const std::vector<std::size_t>& far) const {
    const Box& box = boxes_[index];
    std::string_view worst = box.part ? "undecided" : "none";
    for (const std::string_view style : {"right", "undecided", "refused", "wrong"})
      if (std::ranges::find(box.styles, style) != box.styles.end()) worst = style;
    const std::string text = box.text.size() <= longest_text ? box.text : box.text.substr(0, longest_text - 1) + "…";
    std::string drawn = box.part ? fmt::format("<a href=\"#part-{}\">", *box.part) : "<g>";
    drawn += fmt::format(R"(<title>{}</title><rect class="box {}" x="{}" y="{}" width="{}" height="{}" rx="4"/>)"
                         R"(<text x="{}" y="{}">{}</text><text class="small" x="{}" y="{}">{}</text>)",
                         in_html(box.title), worst, at.x, at.y, box_width, box_height, at.x + 5, at.y + 15,
                         in_html(text), at.x + 5, at.y + 30, box.number);
    for (std::size_t b = 0; b < box.styles.size(); ++b)
      drawn += fmt::format(R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>)", box.styles[b],
                           at.x + box_width - 5 - (box.styles.size() - b) * (square + 2), at.y + 21, square, square);
    if (!far.empty()) {
      const std::size_t shown = std::min(far.size(), most_sources);
      drawn += fmt::format(R"(<text class="small" x="{}" y="{}">← {}{}</text>)", at.x, at.y + box_height + 11,
                           fmt::join(far.begin(), far.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                           shown < far.size() ? ", …" : "");
    }
    return drawn + (box.part ? "</a>" : "</g>");
  }

  const std::vector<Box>& boxes_;
  std::vector<Place> places_;
  std::vector<std::vector<std::size_t>> layers_;  ///< boxes
  std::vector<std::size_t> drawn_;                ///< layers, one for each column of the drawing
  std::vector<std::size_t> copies_;               ///< that a column stands for
  std::vector<bool> begins_;                      ///< whether a repeated sequence begins with the column
  std::map<std::size_t, std::size_t> shown_;      ///< the box that is drawn in place of a box
};

}  // namespace

std::string model_drawing(const Overview& overview) {
  std::vector<Box> boxes = Boxes(overview).make();
  const Layout all(boxes);
  if (all.drawn_boxes() <= most_boxes) return all.svg();
  boxes = not_right(boxes);
  if (boxes.empty()) return "<p>The model is too large to be drawn. All of its parts are right.</p>\n";
  return "<p>The model is too large to be drawn: these are the parts that are not right, and their neighbours.</p>\n" +
         Layout(boxes).svg();
}

}  // namespace touchstone::conformance
