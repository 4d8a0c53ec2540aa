internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A column of a table, and the property that it stores.
struct SQLColumn<Row>: Sendable {
  typealias Property<Value> = WritableKeyPath<Row, Value> & Sendable

  let name: String
  let value: @Sendable (Row) -> SQLValue
  let read: @Sendable (SQLValue, inout Row) -> Void

  /// A text that is never null.
  static func text(_ name: String, _ property: any Property<String>) -> SQLColumn {
    SQLColumn(name: name) {
      .text($0[keyPath: property])
    } read: {
      $1[keyPath: property] = $0.name ?? ""
    }
  }

  /// A text; an empty one is stored and read as null.
  static func name(_ name: String, _ property: any Property<String?>) -> SQLColumn {
    SQLColumn(name: name) {
      .name($0[keyPath: property])
    } read: {
      $1[keyPath: property] = $0.name
    }
  }

  /// A word of a vocabulary; an empty one is stored and read as null.
  static func word<Word: StringVocabulary>(
    _ name: String, _ property: any Property<Word?>
  ) -> SQLColumn {
    SQLColumn(name: name) {
      .name($0[keyPath: property]?.rawValue)
    } read: {
      $1[keyPath: property] = $0.name.map(Word.init(rawValue:))
    }
  }

  /// An identifier of an account, as stored.
  static func accountID(_ name: String, _ property: any Property<AccountID?>) -> SQLColumn {
    SQLColumn(name: name) {
      .name($0[keyPath: property])
    } read: {
      $1[keyPath: property] = $0.name.map(AccountID.init(stored:))
    }
  }

  static func code<Code: IntegerVocabulary>(
    _ name: String, _ property: any Property<Code?>
  ) -> SQLColumn {
    SQLColumn(name: name) {
      .number($0[keyPath: property]?.rawValue)
    } read: {
      $1[keyPath: property] = $0.number.map(Code.init(rawValue:))
    }
  }

  static func number(_ name: String, _ property: any Property<Int?>) -> SQLColumn {
    SQLColumn(name: name) {
      .number($0[keyPath: property])
    } read: {
      $1[keyPath: property] = $0.number
    }
  }

  /// A number that is never null.
  static func number(
    _ name: String, _ property: any Property<Int>, default: Int = 0
  ) -> SQLColumn {
    SQLColumn(name: name) {
      .number($0[keyPath: property])
    } read: {
      $1[keyPath: property] = $0.number ?? `default`
    }
  }

  static func flag(_ name: String, _ property: any Property<Bool?>) -> SQLColumn {
    SQLColumn(name: name) {
      .flag($0[keyPath: property])
    } read: {
      $1[keyPath: property] = $0.flag
    }
  }

  /// A flag that is false where it is null.
  static func flag(_ name: String, _ property: any Property<Bool>) -> SQLColumn {
    SQLColumn(name: name) {
      .flag($0[keyPath: property])
    } read: {
      $1[keyPath: property] = $0.flag ?? false
    }
  }

  /// A date in whole seconds that is never null.
  static func seconds(_ name: String, _ property: any Property<Date>) -> SQLColumn {
    SQLColumn(name: name) {
      .seconds($0[keyPath: property])
    } read: {
      $1[keyPath: property] = $0.seconds ?? StoredMoment.date(seconds: 0)
    }
  }

  static func milliseconds(_ name: String, _ property: any Property<Date?>) -> SQLColumn {
    SQLColumn(name: name) {
      .milliseconds($0[keyPath: property])
    } read: {
      $1[keyPath: property] = $0.milliseconds
    }
  }

  /// A date in milliseconds that is never null.
  static func milliseconds(_ name: String, _ property: any Property<Date>) -> SQLColumn {
    SQLColumn(name: name) {
      .milliseconds($0[keyPath: property])
    } read: {
      $1[keyPath: property] = $0.milliseconds ?? StoredMoment.date(milliseconds: 0)
    }
  }

  static func environment(
    _ name: String, _ property: any Property<AppStoreEnvironment?>
  ) -> SQLColumn {
    SQLColumn(name: name) {
      $0[keyPath: property].map { .environment($0) } ?? .null
    } read: {
      $1[keyPath: property] = $0 == .null ? nil : $0.environment
    }
  }

  /// An environment that is never null.
  static func environment(
    _ name: String, _ property: any Property<AppStoreEnvironment>
  ) -> SQLColumn {
    SQLColumn(name: name) {
      .environment($0[keyPath: property])
    } read: {
      $1[keyPath: property] = $0.environment
    }
  }
}

/// The columns that store a value, in the order in which all statements list them.
struct SQLColumns<Row>: Sendable {
  private let columns: [SQLColumn<Row>]

  init(_ columns: [SQLColumn<Row>]) { self.columns = columns }

  var count: Int { columns.count }
  var names: [String] { columns.map(\.name) }

  var list: String { names.joined(separator: ", ") }

  /// The names, each with the alias of a table.
  func list(of alias: String) -> String {
    names.map { "\(alias).\($0)" }.joined(separator: ", ")
  }

  func values(of row: Row) -> [SQLValue] { columns.map { $0.value(row) } }

  /// Reads the first values of a row of a database into another.
  func read(_ values: SQLRow, into row: inout Row) {
    for (column, value) in zip(columns, values) { column.read(value, &row) }
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
  func overwriting(except key: Set<String>) -> String {
    names.filter { !key.contains($0) }.map { "\($0) = excluded.\($0)" }.joined(separator: ",\n  ")
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
