/// The value of a key, with its place.
package struct CatalogField {
  package let path: CatalogPath
  /// The line of the key, from 1, or nil for JSON.
  package let line: Int?
  private let node: CatalogNode

  package init(_ node: CatalogNode, at path: CatalogPath, line: Int?) {
    self.node = node
    self.path = path
    self.line = line
  }

  /// A fault of this value.
  package func fault(_ problem: CatalogProblem) -> CatalogFault {
    CatalogFault(problem, at: path, line: line)
  }

  /// The text.
  package func text() throws(CatalogFault) -> String {
    guard case .text(let text) = node.content else { throw fault(.wrongType(expected: .text)) }
    return text
  }

  /// The text, if it follows a rule.
  package func text(_ rule: CatalogTextRule) throws(CatalogFault) -> String {
    let text = try text()
    guard rule.accepts(text) else { throw fault(.textOutOfRange(rule)) }
    return text
  }

  /// The whole number, if it is within bounds.
  package func wholeNumber(
    in bounds: ClosedRange<Int> = Int.min...Int.max
  ) throws(CatalogFault) -> Int {
    switch node.content {
    case .integer(let number) where bounds.contains(number): return number
    case .integer, .wideInteger: throw fault(.numberOutOfRange(bounds))
    default: throw fault(.wrongType(expected: .wholeNumber))
    }
  }

  /// True or false.
  package func boolean() throws(CatalogFault) -> Bool {
    guard case .boolean(let value) = node.content else {
      throw fault(.wrongType(expected: .boolean))
    }
    return value
  }

  /// The fields of a map.
  package func fields() throws(CatalogFault) -> CatalogFields {
    guard case .map(let entries) = node.content else { throw fault(.wrongType(expected: .map)) }
    return CatalogFields(entries, at: path, line: line)
  }
}
