/// A value in a catalogue file.
package struct CatalogNode: Hashable, Sendable {
  /// A value, of the types that YAML and JSON share.
  package enum Content: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// A whole number of 64 bits.
    case integer(Int)
    /// A whole number of more than 64 bits.
    case wideInteger
    /// A number with a fraction or an exponent, or one that is infinite or none.
    case number(Double)
    case text(String)
    case list([CatalogNode])
    /// A map in the order of the file.
    case map([CatalogEntry])
  }

  package var content: Content
  /// The line where it begins, from 1, or nil for JSON.
  package var line: Int?

  /// Creates a value.
  package init(_ content: Content, line: Int?) {
    self.content = content
    self.line = line
  }
}

/// A key and its value in a map of a catalogue file.
package struct CatalogEntry: Hashable, Sendable {
  /// The key as it is written, without quotation marks.
  package var key: String
  /// The line of the key, from 1, or nil for JSON.
  package var line: Int?
  package var value: CatalogNode

  /// Creates an entry.
  package init(key: String, line: Int?, value: CatalogNode) {
    self.key = key
    self.line = line
    self.value = value
  }
}

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
