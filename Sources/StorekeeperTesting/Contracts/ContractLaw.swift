internal import PurchaseStorage

/// One law of a port, to be checked on an implementation.
///
/// Laws of one contract do not share anything: each gets a store of its own, so they can run side by
/// side and in any order.
public struct ContractLaw: Sendable, CustomStringConvertible {
  /// The law, as a sentence.
  public let name: String
  private let body: @Sendable () async throws -> Void

  init(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
    self.name = name
    self.body = body
  }

  public var description: String { name }

  /// Checks the law.
  ///
  /// - Throws: ``ContractViolation`` if the law is broken, or if the implementation throws what the law
  ///   does not ask for; `CancellationError` when the task is cancelled.
  public func check(fileID: String = #fileID, line: Int = #line) async throws {
    let violation = { (expected: String, found: String) in
      ContractViolation(law: name, expected: expected, found: found, fileID: fileID, line: line)
    }
    do {
      try await body()
    } catch let mismatch as ContractMismatch {
      throw violation(mismatch.expected, mismatch.found)
    } catch let error as CancellationError where Task.isCancelled {
      throw error
    } catch {
      throw violation("no error", "the error \(error)")
    }
  }
}

typealias StoreLaw = Law<any PurchaseStore>

/// A law of a subject, such as a store.
struct Law<Subject>: Sendable {
  let name: String
  let check: @Sendable (Subject) async throws -> Void

  init(_ name: String, _ check: @escaping @Sendable (Subject) async throws -> Void) {
    self.name = name
    self.check = check
  }
}

/// The violation of a law by an implementation of a port.
public struct ContractViolation: Error, Hashable, Sendable {
  /// The law, as a sentence.
  public var law: String
  public var expected: String
  public var found: String
  /// The file that asked for the check.
  public var fileID: String
  /// The line that asked for the check.
  public var line: Int

  /// Creates a violation.
  public init(law: String, expected: String, found: String, fileID: String, line: Int) {
    self.law = law
    self.expected = expected
    self.found = found
    self.fileID = fileID
    self.line = line
  }
}

extension ContractViolation: CustomStringConvertible {
  /// The law, the expectation, the finding, and the place of the check.
  public var description: String {
    "\(law): expected \(expected), found \(found) (checked from \(fileID):\(line))"
  }
}
