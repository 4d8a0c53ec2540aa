import Testing

/// A row of a table of changes to a value, printed by its name.
struct Change<Value>: Sendable, CustomTestStringConvertible {
  var testDescription: String
  private let change: @Sendable (Value) throws -> Value

  init(_ description: String, _ change: @escaping @Sendable (Value) throws -> Value) {
    testDescription = description
    self.change = change
  }

  func callAsFunction(_ value: Value) throws -> Value { try change(value) }
}
