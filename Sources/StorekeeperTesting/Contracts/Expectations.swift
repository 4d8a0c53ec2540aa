internal import PurchaseStorage

/// A mismatch inside a law, before the law and the place of the check are added.
package struct ContractMismatch: Error {
  package var expected: String
  package var found: String

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

/// Throws unless the action throws this failure of a store.
func expectFailure(
  _ failure: StorageFailure, of action: nonisolated(nonsending) () async throws -> Void
) async throws {
  try await expectFailure("StorageFailure.\(failure)", of: action) { $0 == failure }
}

/// Throws unless the action refuses a value that cannot be stored.
func expectRefused(
  _ value: String, _ action: nonisolated(nonsending) () async throws -> Void
) async throws {
  try await expectFailure("StorageFailure.invalidValue for \(value)", of: action) { failure in
    if case .invalidValue = failure { true } else { false }
  }
}

/// Runs so many tasks at once; their results in no order.
@discardableResult
func concurrently<Result: Sendable>(
  _ count: Int, _ task: @escaping @Sendable (Int) async throws -> Result
) async throws -> [Result] {
  try await withThrowingTaskGroup(of: Result.self) { group in
    for number in 0..<count { group.addTask { try await task(number) } }
    return try await group.reduce(into: []) { $0.append($1) }
  }
}

/// Throws unless one of so many tasks at once says that it did something.
func expectOne(
  of count: Int, _ what: String, _ task: @escaping @Sendable (Int) async throws -> Bool
) async throws {
  let results = try await concurrently(count, task)
  try expect("the number \(what)", results.count { $0 }, is: 1)
}

/// Throws unless 8 workers that lease 60 rows at once never get the same, and together get all.
func expectApart<Row: Hashable & Sendable>(
  _ lease: @escaping @Sendable (_ worker: Int) async throws -> [Row]
) async throws {
  let found = try await concurrently(8) { worker in
    var mine: [Row] = []
    while true {
      let rows = try await lease(worker)
      if rows.isEmpty { return mine }
      mine += rows
    }
  }
  let all = found.flatMap { $0 }
  try expect("rows given", all.count, is: 60)
  try expect("different rows", Set(all).count, is: 60)
}
