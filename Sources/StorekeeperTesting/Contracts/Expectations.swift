internal import PurchaseStorage

/// A mismatch inside a law, before the law and the place of the check are added.
package struct ContractMismatch: Error {
  package var expected: String
  package var found: String

  /// Creates a mismatch.
  package init(expected: String, found: String) {
    self.expected = expected
    self.found = found
  }
}

/// Throws unless both are equal.
func expect<Value: Equatable>(
  _ what: String, _ found: Value, is expected: Value
) throws(ContractMismatch) {
  guard found == expected else {
    throw ContractMismatch(expected: "\(what) \(expected)", found: "\(found)")
  }
}

/// Throws unless the condition holds.
func expect(_ what: String, _ holds: Bool) throws(ContractMismatch) {
  guard holds else { throw ContractMismatch(expected: what, found: "otherwise") }
}

/// Returns the value, or throws if there is none.
func unwrap<Value>(_ what: String, _ found: Value?) throws(ContractMismatch) -> Value {
  guard let found else { throw ContractMismatch(expected: what, found: "nothing") }
  return found
}

/// Throws unless the action throws an accepted failure of a store.
func expectFailure(
  _ expected: String, of action: nonisolated(nonsending) () async throws -> Void,
  isAccepted: (StorageFailure) -> Bool
) async throws {
  do {
    try await action()
  } catch let failure as StorageFailure where isAccepted(failure) {
    return
  } catch {
    throw ContractMismatch(expected: expected, found: "the error \(error)")
  }
  throw ContractMismatch(expected: expected, found: "no error")
}

/// Throws unless the action refuses a value that cannot be stored.
func expectRefused(
  _ value: String, _ action: nonisolated(nonsending) () async throws -> Void
) async throws {
  try await expectFailure("StorageFailure.invalidValue for \(value)", of: action) { failure in
    if case .invalidValue = failure { true } else { false }
  }
}
