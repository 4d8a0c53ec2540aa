extension [String] {
  /// The texts, each once, in ascending order of their bytes.
  package var uniqueInOrderOfBytes: [String] {
    var texts = self
    texts.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    var unique: [String] = []
    unique.reserveCapacity(texts.count)
    for text in texts where !(unique.last.map { $0.utf8.elementsEqual(text.utf8) } ?? false) {
      unique.append(text)
    }
    return unique
  }
}
