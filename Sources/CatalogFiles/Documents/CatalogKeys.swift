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
