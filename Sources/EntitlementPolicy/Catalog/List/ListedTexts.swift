internal import JSONValues

/// The texts of an array in a list, which are read from the list each time, as there may be millions.
struct ListedTexts: Sequence {
  let text: JSONText
  let array: JSONText.Place

  /// The texts in order, each cut after the first byte too many for an identifier.
  func makeIterator() -> some IteratorProtocol<String> {
    text.elements(at: array).lazy.compactMap { place in
      text.string(at: place, limit: IdentifierRule.maximumByteCount)
    }.makeIterator()
  }
}
