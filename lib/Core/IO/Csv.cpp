//===- Csv.cpp - Problems and plans as CSV --------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Core/Csv.h"

#include "memplan/Core/CheckedMath.h"
#include "memplan/Core/Json.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <type_traits>
#include <unordered_map>
#include <vector>

using namespace memplan;

namespace {

/// The columns with a meaning of their own. Behind NumColumns come those of
/// numbers of a buffer, in the order of its fields.
enum Column {
  Id,
  Lower,
  Upper,
  Offset,
  Ranges,
  Gaps,
  Soft,
  SoftBanks,
  AllOrNonePairs,
  Hint,
  NumColumns
};

struct ColumnName {
  const char *name;
  size_t column;
  /// The column has the last time at which the buffer is live, not the end.
  bool isLast = false;
};

/// Calls visit(field, column) for each number of a buffer.
template <typename Visit> void forEachNumber(Visit &&visit) {
  size_t column = NumColumns;
  forEachField<Buffer>([&](const auto &field) {
    if constexpr (std::is_same_v<int64_t Buffer::*, decltype(field.member)>)
      visit(field, column++);
  });
}

/// The first name of a column is also used for output; the others are those of
/// google/minimalloc.
const std::vector<ColumnName> &columnNames() {
  static const std::vector<ColumnName> all = [] {
    std::vector<ColumnName> names = {
        {"id", Id}, {"lower", Lower}, {"upper", Upper}};
    forEachNumber([&](const auto &field, size_t column) {
      names.push_back({field.name, column});
    });
    names.insert(names.end(), {
                                  {"offset", Offset},
                                  {"ranges", Ranges},
                                  {"gaps", Gaps},
                                  {"soft", Soft},
                                  {"soft_banks", SoftBanks},
                                  {"all_or_none", AllOrNonePairs},
                                  {"buffer", Id},
                                  {"buffer_id", Id},
                                  {"begin", Lower},
                                  {"start", Lower},
                                  {"end", Upper, /*isLast=*/true},
                                  {"hint", Hint},
                              });
    return names;
  }();
  return all;
}

constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  return text;
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text.substr(0, 40)) + "'";
}

class CsvParser {
public:
  CsvParser(std::string_view text, CsvOffsets offsets, Problem &problem,
            Plan &plan, CsvError &error, std::optional<int64_t> bankSize,
            std::vector<std::string> *ignored)
      : text(text), offsets(offsets), problem(problem), plan(plan),
        error(error), bankSize(bankSize), ignored(ignored) {}

  bool run() {
    problem = Problem();
    plan = Plan();
    problem.bankSize = bankSize;
    if (text.substr(0, byteOrderMark.size()) == byteOrderMark)
      text.remove_prefix(byteOrderMark.size());
    if (!parseHeader())
      return false;
    while (nextLine())
      if (!parseBuffer())
        return false;
    if (failed || !resolvePairs())
      return false;
    if (offsets == CsvOffsets::Plan) {
      plan.arenaSize = arenaSizeOf(problem, plan.offsets);
      plan.penalty = penaltyOf(problem, plan.offsets);
    }
    for (const Buffer &b : problem.buffers)
      problem.arenaAlignment = std::max(problem.arenaAlignment, b.alignment);
    return true;
  }

private:
  struct Row {
    size_t line;
    BufferIndex index;
  };
  /// The field of a row that lists other buffers.
  struct PairList {
    Row row;
    Column column;
    std::string text;
  };

  bool fail(std::string message) {
    error = {line, std::move(message)};
    failed = true;
    return false;
  }

  /// Splits the next line that is not empty into `fields`.
  bool nextLine() {
    while (at < text.size()) {
      ++line;
      size_t end = text.find('\n', at);
      isCut = end == std::string_view::npos;
      std::string_view content = text.substr(at, isCut ? end : end - at);
      at = isCut ? text.size() : end + 1;
      if (!content.empty() && content.back() == '\r')
        content.remove_suffix(1);
      if (trim(content).empty())
        continue;
      return split(content);
    }
    return false;
  }

  bool split(std::string_view content) {
    fields.clear();
    size_t i = 0;
    while (true) {
      std::string field;
      if (i < content.size() && content[i] == '"') {
        size_t close = i + 1;
        for (; close < content.size(); ++close) {
          if (content[close] != '"')
            field += content[close];
          else if (close + 1 < content.size() && content[close + 1] == '"')
            field += content[close++];
          else
            break;
        }
        if (close >= content.size())
          return fail("a quoted field is not closed");
        i = close + 1;
        if (i < content.size() && content[i] != ',')
          return fail("text follows a quoted field");
      } else {
        size_t comma = std::min(content.find(',', i), content.size());
        field = trim(content.substr(i, comma - i));
        i = comma;
      }
      fields.push_back(std::move(field));
      if (i >= content.size())
        return true;
      ++i;
    }
  }

  bool parseHeader() {
    if (!nextLine())
      return failed ? false : fail("the file is empty: no column names");
    columnAt.assign(NumColumns, -1);
    forEachNumber([&](const auto &, size_t) { columnAt.push_back(-1); });
    numFields = fields.size();
    for (size_t i = 0; i < fields.size(); ++i) {
      auto name = std::find_if(
          columnNames().begin(), columnNames().end(),
          [&](const ColumnName &known) { return fields[i] == known.name; });
      if (name == columnNames().end()) {
        others.push_back(fields[i]);
        continue;
      }
      int &at = columnAt[name->column];
      if (at >= 0)
        return fail("column " + quoted(fields[i]) + " appears twice" +
                    (fields[at] == fields[i]
                         ? ""
                         : ", as " + quoted(fields[at]) + " says the same"));
      at = static_cast<int>(i);
      isLastPoint |= name->isLast;
    }
    for (const std::string &other : others)
      if (const ColumnName *meant = findMisspelt(other))
        return fail("unknown column " + quoted(other) + "; is it '" +
                    meant->name + "'?");
    if (const char *missing = findMissing())
      return fail(std::string("column '") + missing + "' is missing" +
                  (others.empty()
                       ? ""
                       : "; " + quoted(others.front()) +
                             " is no column; known are " + listColumns()));
    if (ignored)
      *ignored = others;
    if (offsets == CsvOffsets::Plan && columnAt[Offset] < 0)
      return fail("column 'offset' is missing: there is no plan to verify");
    return true;
  }

  /// The first required column that is missing; null if there is none.
  const char *findMissing() const {
    for (Column column : {Id, Lower, Upper})
      if (columnAt[column] < 0)
        return columnNames()[column].name;
    const char *missing = nullptr;
    forEachNumber([&](const auto &field, size_t column) {
      if (!missing && field.presence == Presence::Required &&
          columnAt[column] < 0)
        missing = field.name;
    });
    return missing;
  }

  /// The missing column whose name the text nearly is; null if there is none.
  const ColumnName *findMisspelt(std::string_view text) const {
    for (const ColumnName &known : columnNames())
      if (columnAt[known.column] < 0 && isNearly(text, known.name))
        return &known;
    return nullptr;
  }

  /// True if one letter more, less or other, or another case, makes them equal.
  static bool isNearly(std::string_view a, std::string_view b) {
    auto isSame = [](char x, char y) {
      return std::tolower(static_cast<unsigned char>(x)) ==
             std::tolower(static_cast<unsigned char>(y));
    };
    if (a.size() < 4 || b.size() < 4)
      return a.size() == b.size() &&
             std::equal(a.begin(), a.end(), b.begin(), isSame);
    if (a.size() > b.size())
      std::swap(a, b);
    if (b.size() - a.size() > 1)
      return false;
    size_t i = 0;
    while (i < a.size() && isSame(a[i], b[i]))
      ++i;
    std::string_view restA = a.substr(i), restB = b.substr(i);
    if (restB.empty())
      return true;
    if (restA.size() == restB.size())
      restA.remove_prefix(1);
    restB.remove_prefix(1);
    return std::equal(restA.begin(), restA.end(), restB.begin(), restB.end(),
                      isSame);
  }

  bool parseBuffer() {
    if (fields.size() != numFields)
      return fail("expected " + std::to_string(numFields) + " fields, found " +
                  std::to_string(fields.size()) +
                  (isCut ? "; the file seems to be cut here" : ""));
    Buffer b;
    b.id = fields[columnAt[Id]];
    if (b.id.empty())
      return fail("the id is empty");
    // Reports are UTF-8: in them, two such ids could be the same.
    if (toUtf8(b.id) != b.id)
      return fail("the id is not in UTF-8");
    auto index = static_cast<BufferIndex>(problem.buffers.size());
    auto [known, isNew] = rowOf.emplace(b.id, Row{line, index});
    if (!isNew)
      return fail("id " + quoted(b.id) + " is already used in line " +
                  std::to_string(known->second.line));
    for (Column column : {Soft, SoftBanks, AllOrNonePairs})
      if (isGiven(column))
        pairs.push_back({{line, index}, column, fields[columnAt[column]]});
    LiveRange range;
    if (!parseNumber(fields[columnAt[Lower]], "lower", range.start) ||
        !parseNumber(fields[columnAt[Upper]], "upper", range.end) ||
        !parseNumbers(b))
      return false;
    if (isLastPoint && !makeExclusive(range.end))
      return false;
    b.ranges.push_back(range);
    if (isGiven(Gaps) && !cutGaps(fields[columnAt[Gaps]], b.ranges))
      return false;
    if (isGiven(Ranges) && !parseRanges(fields[columnAt[Ranges]], b.ranges))
      return false;
    if (!checkRanges(b.ranges))
      return false;
    normalizeRanges(b.ranges);
    if (!parseOffset(b))
      return false;
    problem.buffers.push_back(std::move(b));
    return true;
  }

  /// Reads the numbers of a buffer; an empty cell leaves the default.
  bool parseNumbers(Buffer &b) {
    bool isRead = true;
    forEachNumber([&](const auto &field, size_t column) {
      if (isRead && (field.presence == Presence::Required || isGiven(column)))
        isRead = parseField(field, fields[columnAt[column]], b);
    });
    return isRead;
  }

  bool parseField(const Field<Buffer, int64_t> &field, std::string_view text,
                  Buffer &b) {
    int64_t &value = b.*field.member;
    if (!parseNumber(text, field.name, value))
      return false;
    return field.limit != Limit::PowerOfTwo || isPowerOfTwo(value) ||
           fail(std::string(field.name) + " " + std::to_string(value) +
                " is not a power of two");
  }

  bool isGiven(size_t column) const {
    return columnAt[column] >= 0 && !fields[columnAt[column]].empty();
  }

  bool parseOffset(Buffer &b) {
    if (!isGiven(Offset)) {
      if (offsets == CsvOffsets::Plan)
        return fail("buffer " + quoted(b.id) + " has no offset");
      return true;
    }
    int64_t offset;
    if (!parseNumber(fields[columnAt[Offset]], "offset", offset))
      return false;
    if (!checkedAdd(offset, b.size))
      return fail("offset plus size exceeds 64 bits");
    if (offsets == CsvOffsets::Pins)
      b.pinnedOffset = offset;
    else
      plan.offsets.push_back(offset);
    return true;
  }

  bool parseNumber(std::string_view field, const char *name, int64_t &value) {
    std::string_view digits = field;
    bool isNegative = !digits.empty() && digits.front() == '-';
    if (isNegative)
      digits.remove_prefix(1);
    if (digits.empty())
      return fail(std::string(name) + " is empty");
    value = 0;
    for (char c : digits) {
      if (c < '0' || c > '9')
        return fail(std::string(name) + " " + quoted(field) +
                    " is not a number");
      std::optional<int64_t> tens = checkedMul(value, 10);
      std::optional<int64_t> sum =
          tens ? checkedAdd(*tens, c - '0') : std::nullopt;
      if (!sum)
        return fail(std::string(name) + " " + quoted(field) +
                    " does not fit into 64 bits");
      value = *sum;
    }
    if (isNegative)
      return fail(std::string(name) + " " + quoted(field) + " is negative");
    return true;
  }

  /// Appends the ranges of a list like "9-12 15-20".
  bool parseRanges(std::string_view field, LiveRanges &ranges) {
    while (!(field = trim(field)).empty()) {
      size_t end = std::min(field.find(' '), field.size());
      std::string_view item = field.substr(0, end);
      field.remove_prefix(end);
      size_t dash = item.find('-', 1);
      LiveRange range;
      if (dash == std::string_view::npos)
        return fail("range " + quoted(item) + " is not of the form start-end");
      if (!parseNumber(item.substr(0, dash), "range start", range.start) ||
          !parseNumber(item.substr(dash + 1), "range end", range.end))
        return false;
      ranges.push_back(range);
    }
    return true;
  }

  /// Adds the pairs of the lists, after all ids are known.
  bool resolvePairs() {
    for (const PairList &list : pairs) {
      line = list.row.line;
      std::string_view left = list.text;
      while (!(left = trim(left)).empty()) {
        std::string_view item = left.substr(0, left.find(' '));
        left.remove_prefix(item.size());
        if (!addPair(list, item))
          return false;
      }
    }
    return true;
  }

  /// Adds the pair of an item like "b:3", or "b" for a pair of all or none.
  bool addPair(const PairList &list, std::string_view item) {
    std::string_view id = item;
    int64_t weight = 0;
    if (list.column != AllOrNonePairs) {
      size_t colon = item.rfind(':');
      if (colon == std::string_view::npos)
        return fail("soft conflict " + quoted(item) +
                    " is not of the form id:weight");
      id = item.substr(0, colon);
      if (!parseNumber(item.substr(colon + 1), "weight", weight))
        return false;
    }
    auto other = rowOf.find(std::string(id));
    if (other == rowOf.end())
      return fail("there is no buffer " + quoted(id));
    BufferIndex first = list.row.index, second = other->second.index;
    if (list.column == AllOrNonePairs)
      problem.allOrNone.push_back({first, second});
    else
      problem.softConflicts.push_back({first, second, weight,
                                       list.column == Soft
                                           ? SoftConflict::Kind::Bytes
                                           : SoftConflict::Kind::Bank});
    return true;
  }

  bool makeExclusive(int64_t &end) {
    std::optional<int64_t> next = checkedAdd(end, 1);
    if (!next)
      return fail("end does not fit into 64 bits");
    end = *next;
    return true;
  }

  /// Subtracts gaps, a list like "3-5 7-9", from the only range.
  bool cutGaps(std::string_view field, LiveRanges &ranges) {
    if (field.find('@') != std::string_view::npos)
      return fail(
          "gaps " + quoted(field) +
          " have windows (START-END@LOW:HIGH), which are not supported: "
          "in a gap no byte of the buffer is live");
    LiveRanges gaps;
    if (!parseRanges(field, gaps))
      return false;
    LiveRange left = ranges.front();
    ranges.clear();
    for (LiveRange &gap : gaps)
      if (isLastPoint && !makeExclusive(gap.end))
        return false;
    if (!checkRanges(gaps))
      return false;
    for (const LiveRange &gap : gaps) {
      if (gap.start < left.start || gap.end > left.end)
        return fail("the gap [" + std::to_string(gap.start) + ", " +
                    std::to_string(gap.end) + ") leaves the live range");
      if (left.start < gap.start)
        ranges.push_back({left.start, gap.start});
      left.start = gap.end;
    }
    if (left.start < left.end)
      ranges.push_back(left);
    if (ranges.empty())
      return fail("the gaps leave nothing of the live range");
    return true;
  }

  static std::string listColumns() {
    std::string names;
    for (const ColumnName &known : columnNames())
      names += (names.empty() ? "" : ", ") + std::string(known.name);
    return names;
  }

  bool checkRanges(LiveRanges &ranges) {
    std::sort(ranges.begin(), ranges.end(),
              [](const LiveRange &a, const LiveRange &b) {
                return a.start != b.start ? a.start < b.start : a.end < b.end;
              });
    for (size_t i = 0; i < ranges.size(); ++i) {
      std::string range = "[" + std::to_string(ranges[i].start) + ", " +
                          std::to_string(ranges[i].end) + ")";
      if (ranges[i].start >= ranges[i].end)
        return fail("the live range " + range + " is empty");
      if (i > 0 && ranges[i].start < ranges[i - 1].end)
        return fail("the live range " + range + " overlaps another");
    }
    return true;
  }

  std::string_view text;
  CsvOffsets offsets;
  Problem &problem;
  Plan &plan;
  CsvError &error;
  size_t at = 0, line = 0, numFields = 0;
  bool isCut = false, failed = false, isLastPoint = false;
  /// The place of each column in a line, or -1.
  std::vector<int> columnAt;
  std::vector<std::string> fields;
  std::optional<int64_t> bankSize;
  std::vector<std::string> *ignored;
  /// The names of columns that are not known.
  std::vector<std::string> others;
  std::unordered_map<std::string, Row> rowOf;
  std::vector<PairList> pairs;
};

/// The text, in quotes if it has a comma, a quote or white space.
std::string toCell(const std::string &text) {
  if (text.find_first_of(",\" \t\r\n") == std::string::npos)
    return text;
  std::string result = "\"";
  for (char c : text) {
    if (c == '"')
      result += '"';
    result += c;
  }
  return result + "\"";
}

} // namespace

bool memplan::parseCsv(std::string_view text, CsvOffsets offsets,
                       Problem &problem, Plan &plan, CsvError &error,
                       std::optional<int64_t> bankSize,
                       std::vector<std::string> *ignored) {
  return CsvParser(text, offsets, problem, plan, error, bankSize, ignored)
      .run();
}

std::string memplan::whyNotCsv(const Problem &problem) {
  if (!problem.conflicts.empty() || !problem.overlaps.empty())
    return "has " + std::to_string(problem.conflicts.size()) +
           " conflicts and " + std::to_string(problem.overlaps.size()) +
           " overlaps";
  for (const Buffer &b : problem.buffers) {
    if (b.id.empty() || b.id.find('\n') != std::string::npos)
      return "has a buffer whose id is empty or has a line break";
    if (!b.ranges.empty() && b.ranges.front().start < 0)
      return "has a live range of '" + b.id + "' that begins before time 0";
  }
  auto isListable = [&](BufferIndex b) {
    return problem.buffers[b].id.find_first_of(" \t") == std::string::npos;
  };
  for (const SoftConflict &soft : problem.softConflicts)
    if (!isListable(soft.second))
      return "has a soft conflict with '" + problem.buffers[soft.second].id +
             "', whose id has white space";
  for (const AllOrNone &pair : problem.allOrNone)
    if (!isListable(pair.second))
      return "has a pair of all or none with '" +
             problem.buffers[pair.second].id + "', whose id has white space";
  return "";
}

/// By buffer: the fields that list the pairs of which it is the first.
static std::array<std::vector<std::string>, 3>
listPairs(const Problem &problem) {
  std::array<std::vector<std::string>, 3> lists;
  auto add = [&](size_t column, BufferIndex first, const std::string &item) {
    lists[column].resize(problem.buffers.size());
    std::string &list = lists[column][first];
    list += (list.empty() ? "" : " ") + item;
  };
  for (const SoftConflict &soft : problem.softConflicts)
    add(soft.kind == SoftConflict::Kind::Bank, soft.first,
        problem.buffers[soft.second].id + ":" + std::to_string(soft.weight));
  for (const AllOrNone &pair : problem.allOrNone)
    add(2, pair.first, problem.buffers[pair.second].id);
  return lists;
}

std::string memplan::formatCsv(const Problem &problem, const Plan &plan) {
  std::string out = "id,lower,upper";
  std::vector<int64_t Buffer::*> numbers;
  forEachNumber([&](const auto &field, size_t) {
    if (field.presence != Presence::Required &&
        std::all_of(problem.buffers.begin(), problem.buffers.end(),
                    [&](const Buffer &b) { return field.hasDefault(b); }))
      return;
    out += std::string(",") + field.name;
    numbers.push_back(field.member);
  });
  bool hasRanges =
      std::any_of(problem.buffers.begin(), problem.buffers.end(),
                  [](const Buffer &b) { return b.ranges.size() > 1; });
  // Readers that ignore this column see the hull of the ranges.
  if (hasRanges)
    out += ",gaps";
  std::array<std::vector<std::string>, 3> pairs = listPairs(problem);
  constexpr const char *pairColumns[] = {"soft", "soft_banks", "all_or_none"};
  for (size_t column = 0; column < pairs.size(); ++column)
    if (!pairs[column].empty())
      out += std::string(",") + pairColumns[column];
  out += ",offset\n";
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer &b = problem.buffers[i];
    out += toCell(b.id) + "," + std::to_string(b.ranges.front().start) + "," +
           std::to_string(b.ranges.back().end);
    for (int64_t Buffer::*number : numbers)
      out += "," + std::to_string(b.*number);
    if (hasRanges) {
      out += ",";
      std::string gaps;
      for (size_t r = 1; r < b.ranges.size(); ++r)
        if (b.ranges[r - 1].end < b.ranges[r].start)
          gaps += (gaps.empty() ? "" : " ") +
                  std::to_string(b.ranges[r - 1].end) + "-" +
                  std::to_string(b.ranges[r].start);
      out += gaps;
    }
    for (const std::vector<std::string> &lists : pairs)
      if (!lists.empty())
        out += "," + toCell(lists[i]);
    out += "," +
           (i < plan.offsets.size() ? std::to_string(plan.offsets[i])
                                    : std::string()) +
           "\n";
  }
  return out;
}
