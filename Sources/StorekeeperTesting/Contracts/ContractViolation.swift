/// The violation of a law by an implementation of a port.
public struct ContractViolation: Error, Hashable, Sendable {
  /// The law, as a sentence.
  public var law: String
  /// The expectation of the law.
  public var expected: String
  /// The finding.
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
