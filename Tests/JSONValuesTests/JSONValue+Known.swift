import JSONValues

extension JSONValue {
  /// Creates a value from JSON text of which only known members are needed.
  init(known bytes: [UInt8]) throws(SyntaxFailure) {
    let text = try JSONText(checking: bytes, within: .knownMembers)
    self = text.value(at: text.root)
  }
}
