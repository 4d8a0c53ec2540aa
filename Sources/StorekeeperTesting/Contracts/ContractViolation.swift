internal import PurchaseStorage

/// That an implementation of a port breaks one of its laws.
public struct ContractViolation: Error, Hashable, Sendable {
  /// The law, as a sentence.
  public var law: String
  /// What the law asks for.
  public var expected: String
  /// What was found instead.
  public var found: String
  /// The file that asked for the check.
  public var fileID: String
  /// The line that asked for the check.
  public var line: Int

  /// A violation.
  public init(law: String, expected: String, found: String, fileID: String, line: Int) {
    self.law = law
    self.expected = expected
    self.found = found
    self.fileID = fileID
    self.line = line
  }
}

extension ContractViolation: CustomStringConvertible {
  /// The law, what it asks for, what was found, and who asked.
  public var description: String {
    "\(law): expected \(expected), found \(found) (checked from \(fileID):\(line))"
  }
}

/// What a law found, before it is known which law and who asked.
struct ContractMismatch: Error {
  var expected: String
  var found: String
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

/// Throws unless the action throws a failure of a store that is accepted.
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
