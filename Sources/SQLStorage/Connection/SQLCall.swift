/// A statement with the values for its parameters.
public struct SQLCall: Hashable, Sendable {
  /// The statement.
  public let statement: SQLStatement
  /// A value for each of its parameters.
  public let values: [SQLValue]

  /// A call.
  public init(_ statement: SQLStatement, _ values: [SQLValue]) {
    self.statement = statement
    self.values = values
  }
}
