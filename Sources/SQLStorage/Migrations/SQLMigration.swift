/// A step that brings the tables of a capability to a newer shape; once released it never changes.
package struct SQLMigration: Sendable {
  /// The number, at least 1.
  ///
  /// Numbers of one capability ascend; they are common to all capabilities, so that the greatest one in
  /// a database tells its version.
  package let number: Int
  /// The effect, in a few words.
  package let name: String
  private let make: @Sendable (SQLDialect) -> [String]

  package init(
    number: Int, name: String, statements: @escaping @Sendable (SQLDialect) -> [String]
  ) {
    self.number = number
    self.name = name
    make = statements
  }

  /// Returns the statements, in order, each without a semicolon at its end.
  package func statements(_ dialect: SQLDialect) -> [String] { make(dialect) }
}
