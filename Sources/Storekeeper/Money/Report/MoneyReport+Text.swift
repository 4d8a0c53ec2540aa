internal import ReceiptModels

extension MoneyReport {
  /// The report as tables of plain text, in which numbers stand under each other.
  public var table: String {
    var parts: [String] = [head + "\n"]
    if counts.isEmpty && amounts.isEmpty && credits.isEmpty && cohorts.isEmpty {
      return head + "\n\nNothing is counted in these months.\n"
    }
    parts += sections.map { section in
      var text = section.title + "\n\n" + Self.aligned([section.columns] + section.rows)
      if let note = section.note { text += "\n" + note + "\n" }
      return text
    }
    return parts.joined(separator: "\n")
  }

  /// The report as comma-separated values (RFC 4180).
  ///
  /// There is a line for each number, with its section, month, part, currency and figure. Amounts are decimal numbers with
  /// a point; the sums name their rates in place of a currency. A text that a spreadsheet might take for a formula begins with an apostrophe.
  public var csv: String {
    var lines = [["section", "month", "part", "currency", "figure", "value"]]
    for section in sections {
      for row in section.rows {
        let texts = zip(section.columns, row).map { (name: $0, value: $1) }
        func text(_ name: String) -> String { texts.first { $0.name == name }?.value ?? "" }
        for (name, value) in texts.dropFirst() {
          guard !Self.labels.contains(name), name != query.division?.rawValue, !value.isEmpty
          else { continue }
          let part = query.division.map { text($0.rawValue) } ?? ""
          lines.append([section.name, row[0], part, text("currency"), name, value])
        }
      }
    }
    // Names of figures, such as +1, and values are ours; of the latter, some are below nought.
    return lines.map { line in
      (line.dropLast(2).map(CSVCell.text) + line.suffix(2)).joined(separator: ",") + "\r\n"
    }.joined()
  }

  private static let labels: Set = ["month", "currency"]

  var head: String {
    // Of months that have not begun there is nothing, which is told under their names.
    let last = max(months.last ?? query.months.upperBound, query.months.lowerBound)
    var text = "Figures of \(query.months.lowerBound)"
    if last > query.months.lowerBound { text += " to \(last)" }
    text += ", as of \(query.asOf)"
    if query.environment != .production { text += ", \(query.environment.rawValue)" }
    return text
  }

  /// A part of the report that is a table.
  package struct Section {
    package let name: String
    package let title: String
    package let columns: [String]
    package let rows: [[String]]
    package var note: String?
  }

  /// The tables that have something to show.
  package var sections: [Section] {
    [countSection, amountSection, sumSection, cohortSection, creditSection].compactMap(\.self)
      .filter { !$0.rows.isEmpty || $0.note != nil }
  }

  /// The columns that say of what a row is, and their values.
  private var partColumn: [String] { query.division.map { [$0.rawValue] } ?? [] }

  private func part(_ text: String) -> [String] {
    query.division == nil ? [] : [text.isEmpty ? "unknown" : text]
  }

  private var countSection: Section? {
    Section(
      name: "subscriptions", title: "Subscriptions and purchases",
      columns: ["month"] + partColumn + [
        "before", "new", "returned", "switched in", "switched out", "lapsed", "active",
        "in grace", "churn %", "renewed", "one-time", "refunded", "unpriced",
      ],
      rows: counts.map { line in
        [line.month.description] + part(line.part)
          + [
            line.activeBefore, line.new, line.returned, line.switchedIn, line.switchedOut,
            line.lapsed, line.active, line.inGrace,
          ].map { String($0) }
          + [line.churn.map { Self.decimal($0, digits: 1) } ?? ""]
          + [line.renewed, line.sold, line.refunded, line.unpriced].map { String($0) }
      })
  }

  private static let amountColumns = ["currency", "charged", "refunded amount", "recurring"]

  private func row(_ line: Amounts, _ currency: String) -> [String] {
    [line.month.description] + part(line.part) + [currency]
      + [line.charged, line.refunded, line.recurring].map(Self.money)
  }

  private var amountSection: Section? {
    Section(
      name: "amounts", title: "Amounts, each currency by itself",
      columns: ["month"] + partColumn + Self.amountColumns,
      rows: amounts.map { row($0, $0.currency.isEmpty ? "unknown" : $0.currency) })
  }

  private var sumSection: Section? {
    guard let rates = query.rates else { return nil }
    return Section(
      name: "sums", title: "Sums in \(rates.label), by the rates that were given",
      columns: ["month"] + partColumn + Self.amountColumns,
      rows: sums.map { row($0, rates.label) },
      note: missingRates.isEmpty
        ? nil
        : "No rate was given for \(missingRates.joined(separator: ", ")); what has it has no sum.")
  }

  private var cohortSection: Section? {
    let width = cohorts.map(\.active.count).max() ?? 0
    return Section(
      name: "cohorts",
      title:
        "Cohorts: the first paid charge, and active at the end of that month and of those after",
      columns: ["month", "size"] + (0..<width).map { "+\($0)" },
      rows: cohorts.map { cohort in
        [cohort.month.description, String(cohort.size)]
          + cohort.active.map { String($0) }
          + Array(repeating: "", count: width - cohort.active.count)
      })
  }

  private var creditSection: Section? {
    Section(
      name: "credits", title: "Credits",
      columns: ["month", "sold", "taken back", "restored", "given", "spent", "expired"],
      rows: credits.map { line in
        [line.month.description]
          + [line.sold, line.takenBack, line.restored, line.given, line.spent, line.expired]
          .map { String($0) }
      })
  }

  /// Returns an amount in thousandths as a decimal number with two digits, or three where they are needed.
  static func money(_ thousandths: Int) -> String {
    thousandths.isMultiple(of: 10)
      ? decimal(thousandths / 10, digits: 2) : decimal(thousandths, digits: 3)
  }

  /// Returns a number with a point before its last digits.
  static func decimal(_ number: Int, digits: Int) -> String {
    let text = String(number.magnitude)
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.utf8.count)) + text
    return (number < 0 ? "-" : "") + padded.dropLast(digits) + "." + padded.suffix(digits)
  }

  /// Returns lines whose columns are aligned: texts at the left, numbers at the right.
  private static func aligned(_ rows: [[String]]) -> String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    let isNumeric = (0..<columns).map { column in
      rows.dropFirst().allSatisfy { row in
        column >= row.count || row[column].allSatisfy { $0.isNumber || $0 == "." || $0 == "-" }
      } && column > 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, text in
        let space = String(repeating: " ", count: widths[column] - text.count)
        return isNumeric[column] ? space + text : text + space
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
