internal import JSONValues

/// The fields of a map, with their places.
package struct CatalogFields {
  package let path: CatalogPath
  /// The line of the map's key, from 1, or nil for JSON.
  package let line: Int?
  private let entries: [CatalogEntry]

  init(_ entries: [CatalogEntry], at path: CatalogPath, line: Int?) {
    self.entries = entries
    self.path = path
    self.line = line
  }

  /// A field that may be absent.
  package func optional(_ key: String) -> CatalogField? {
    entries.first { $0.key.isSameText(as: key) }.map(field)
  }

  /// A field that must be there.
  ///
  /// - Throws: `CatalogFault` of kind `missing`, with the line of the map's key.
  package func required(_ key: String, _ type: CatalogValueType) throws(CatalogFault)
    -> CatalogField
  {
    guard let field = optional(key) else {
      throw CatalogFault(.missing(type), at: path.key(key), line: line)
    }
    return field
  }

  /// All fields in the order of the file, by key.
  package var all: some Sequence<(key: String, field: CatalogField)> {
    entries.lazy.map { ($0.key, field($0)) }
  }

  /// The fields with other keys than these.
  package func unknown(besides keys: [String]) -> [CatalogField] {
    entries.filter { entry in !keys.contains { $0.isSameText(as: entry.key) } }.map(field)
  }

  private func field(_ entry: CatalogEntry) -> CatalogField {
    CatalogField(entry.value, at: path.key(entry.key), line: entry.line)
  }
}

/// The keys of one map, which are compared byte by byte.
struct CatalogKeys {
  private var lines: [[UInt8]: Int?] = [:]

  mutating func add(_ key: String, at path: CatalogPath, line: Int?) throws(CatalogFault) {
    if let first = lines.updateValue(line, forKey: Array(key.utf8)) {
      throw CatalogFault(.duplicateKey(firstLine: first), at: path, line: line)
    }
  }
}

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

  /// The texts of a list, or the only text.
  package func texts() throws(CatalogFault) -> [String] {
    guard case .list(let nodes) = node.content else { return [try text()] }
    var texts: [String] = []
    for node in nodes { texts.append(try CatalogField(node, at: path, line: node.line).text()) }
    return texts
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
