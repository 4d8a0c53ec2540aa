/// A step that brings a database to a newer shape; once released it never changes.
public struct SQLMigration: Sendable {
  /// The place in the list, counted from 1.
  public let number: Int
  /// What it brings, in a few words.
  public let name: String
  private let make: @Sendable (SQLDialect) -> [String]

  /// A step.
  public init(
    number: Int, name: String, statements: @escaping @Sendable (SQLDialect) -> [String]
  ) {
    self.number = number
    self.name = name
    make = statements
  }

  /// Its statements, in order, each without a semicolon at its end.
  public func statements(_ dialect: SQLDialect) -> [String] { make(dialect) }
}
