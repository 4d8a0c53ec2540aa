internal import JSONValues

/// The fields of a map, with their places.
package struct CatalogFields {
  /// The path of the map.
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
  /// The line of each key.
  private var lines: [[UInt8]: Int?] = [:]

  /// Adds a key.
  ///
  /// - Throws: `CatalogFault` if the map has the key already.
  mutating func add(_ key: String, at path: CatalogPath, line: Int?) throws(CatalogFault) {
    if let first = lines.updateValue(line, forKey: Array(key.utf8)) {
      throw CatalogFault(.duplicateKey(firstLine: first), at: path, line: line)
    }
  }
}
