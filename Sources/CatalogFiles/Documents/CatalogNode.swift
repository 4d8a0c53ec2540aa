/// A value in a catalogue file.
package struct CatalogNode: Hashable, Sendable {
  /// A value, of the types that YAML and JSON share.
  package enum Content: Hashable, Sendable {
    case null
    /// True or false.
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
