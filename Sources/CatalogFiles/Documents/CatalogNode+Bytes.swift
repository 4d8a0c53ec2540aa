/// The limits of a catalogue file.
///
/// Source: credit rules, section 8.
package enum CatalogLimits {
  /// The maximum length in bytes, 1 MiB.
  package static let length = 1_048_576
  /// The maximum depth of nested maps and lists; the whole file is at depth 1.
  package static let depth = 8
}

extension CatalogNode {
  /// Creates the value of a whole file, in JSON if its first character other than white space is `{`, else in
  /// YAML.
  ///
  /// - Parameter bytes: The file in UTF-8, with or without a byte-order mark.
  /// - Throws: `CatalogFault`: `syntax`, `duplicate_key`, `too_large` or `unsupported`.
  package init(bytes: [UInt8]) throws(CatalogFault) {
    guard bytes.count <= CatalogLimits.length else {
      throw CatalogFault(.tooManyBytes(limit: CatalogLimits.length), at: .file, line: nil)
    }
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let first = bytes.dropFirst(mark).first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let text = mark == 0 ? bytes : Array(bytes[mark...])
    if first == UInt8(ascii: "{") {
      self = try JSONTree.node(bytes: text, offset: mark)
    } else {
      self = try YAMLTree.node(bytes: text)
    }
  }
}
