internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A visit of the columns of a row, in order: to collect their names, to write their values, or to read them.
///
/// The properties are passed as they are, because a key path costs more than the column.
struct SQLColumnVisit {
  private enum Purpose { case naming, writing, reading }

  private let purpose: Purpose
  fileprivate private(set) var names: [String] = []
  /// The values that are written or read.
  fileprivate var values: [SQLValue]
  /// The place of the next value to read.
  private var place: Int

  fileprivate static var naming: SQLColumnVisit { SQLColumnVisit(.naming, [], 0) }

  /// Appends to these values.
  fileprivate static func writing(after values: [SQLValue]) -> SQLColumnVisit {
    SQLColumnVisit(.writing, values, 0)
  }

  fileprivate static func reading(_ values: SQLRow, from place: Int) -> SQLColumnVisit {
    SQLColumnVisit(.reading, values, place)
  }

  private init(_ purpose: Purpose, _ values: [SQLValue], _ place: Int) {
    self.purpose = purpose
    self.values = values
    self.place = place
  }

  /// A column whose value is made of a property, and taken into it.
  @inline(__always)
  mutating func callAsFunction(
    _ name: String, _ value: @autoclosure () -> SQLValue, read: (SQLValue) -> Void
  ) {
    switch purpose {
    case .naming: names.append(name)
    case .writing: values.append(value())
    case .reading:
      guard place < values.count else { return }
      read(values[place])
      place += 1
    }
  }

  /// A text that is never null.
  mutating func text(_ name: String, _ property: inout String) {
    self(name, .text(property)) { property = $0.name ?? "" }
  }

  /// A text; an empty one is stored and read as null.
  mutating func name(_ name: String, _ property: inout String?) {
    self(name, .name(property)) { property = $0.name }
  }

  /// A word of a vocabulary; an empty one is stored and read as null.
  @inline(__always)
  mutating func word<Word: StringVocabulary>(_ name: String, _ property: inout Word?) {
    self(name, .name(property?.rawValue)) { property = $0.name.map(Word.init(rawValue:)) }
  }

  /// An identifier of an account, as stored.
  mutating func accountID(_ name: String, _ property: inout AccountID?) {
    self(name, .name(property)) { property = $0.name.map(AccountID.init(stored:)) }
  }

  @inline(__always)
  mutating func code<Code: IntegerVocabulary>(_ name: String, _ property: inout Code?) {
    self(name, .number(property?.rawValue)) { property = $0.number.map(Code.init(rawValue:)) }
  }

  mutating func number(_ name: String, _ property: inout Int?) {
    self(name, .number(property)) { property = $0.number }
  }

  /// A number that is never null.
  mutating func number(_ name: String, _ property: inout Int, default: Int = 0) {
    self(name, .number(property)) { property = $0.number ?? `default` }
  }

  mutating func flag(_ name: String, _ property: inout Bool?) {
    self(name, .flag(property)) { property = $0.flag }
  }

  /// A flag that is false where it is null.
  mutating func flag(_ name: String, _ property: inout Bool) {
    self(name, .flag(property)) { property = $0.flag ?? false }
  }

  /// A date in whole seconds that is never null.
  mutating func seconds(_ name: String, _ property: inout Date) {
    self(name, .seconds(property)) { property = $0.seconds ?? StoredMoment.date(seconds: 0) }
  }

  mutating func milliseconds(_ name: String, _ property: inout Date?) {
    self(name, .milliseconds(property)) { property = $0.milliseconds }
  }

  /// A date in milliseconds that is never null.
  mutating func milliseconds(_ name: String, _ property: inout Date) {
    self(name, .milliseconds(property)) {
      property = $0.milliseconds ?? StoredMoment.date(milliseconds: 0)
    }
  }

  mutating func environment(_ name: String, _ property: inout AppStoreEnvironment?) {
    self(name, property.map { .environment($0) } ?? .null) {
      property = $0 == .null ? nil : $0.environment
    }
  }

  /// An environment that is never null.
  mutating func environment(_ name: String, _ property: inout AppStoreEnvironment) {
    self(name, .environment(property)) { property = $0.environment }
  }
}

/// The columns that store a value, in the order in which all statements list them.
struct SQLColumns<Row: Sendable>: Sendable {
  typealias Visitor = @Sendable (_ row: inout Row, _ column: inout SQLColumnVisit) -> Void

  let names: [String]
  /// A row that nothing has been read into.
  let blank: Row
  private let visitor: Visitor

  init(_ blank: Row, _ visitor: @escaping Visitor) {
    self.blank = blank
    self.visitor = visitor
    var (row, visit) = (blank, SQLColumnVisit.naming)
    visitor(&row, &visit)
    names = visit.names
  }

  var count: Int { names.count }

  var list: String { names.joined(separator: ", ") }

  /// The names, each with the alias of a table.
  func list(of alias: String) -> String {
    names.map { "\(alias).\($0)" }.joined(separator: ", ")
  }

  /// The values of a row, between others.
  func values(
    of row: Row, after first: [SQLValue] = [], and last: SQLValue...
  ) -> [SQLValue] {
    var (row, visit) = (row, SQLColumnVisit.writing(after: first))
    visit.values.reserveCapacity(first.count + count + last.count)
    visitor(&row, &visit)
    visit.values += last
    return visit.values
  }

  /// Reads the values of a row of a database, from a place on, into another.
  func read(_ values: SQLRow, from place: Int = 0, into row: inout Row) {
    var visit = SQLColumnVisit.reading(values, from: place)
    visitor(&row, &visit)
  }

  /// The row that the first values of a row of a database stand for.
  func row(_ values: SQLRow) -> Row {
    var row = blank
    read(values, into: &row)
    return row
  }

  /// An insertion whose parameters are the values of the columns, then of other columns.
  func insertion(into table: String, and others: String...) -> String {
    let names = names + others
    let parameters = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    return """
      INSERT INTO \(table) (\(names.joined(separator: ", ")))
      VALUES (\(parameters))
      """
  }

  /// The assignments that overwrite a row with the one to insert, except the columns of its key.
  func overwriting(except key: Set<String>) -> [SQLInsertion.Assignment] {
    names.filter { !key.contains($0) }.map { .overwriting($0) }
  }

  /// The assignments of parameters, of which the first has this number.
  func assignments(from first: Int) -> String {
    names.enumerated().map { "\($0.element) = $\($0.offset + first)" }.joined(separator: ", ")
  }

  /// The condition that a row differs from the one to insert, except in the columns of its key.
  ///
  /// A null differs from nothing.
  func differing(in table: String, except key: Set<String>) -> String {
    names.filter { !key.contains($0) }.map { "\(table).\($0) <> excluded.\($0)" }
      .joined(separator: " OR ")
  }
}
