extension [String] {
  /// The texts, each once, in ascending order of their bytes.
  package var uniqueInOrderOfBytes: [String] {
    var texts = self
    texts.sort { UniqueText($0) < UniqueText($1) }
    var unique: [String] = []
    unique.reserveCapacity(texts.count)
    for text in texts where unique.last.map({ $0.isSameText(as: text) }) != true {
      unique.append(text)
    }
    return unique
  }

  /// Returns these texts and others, each once; both are unique and in ascending order of their bytes.
  package func merged(with others: [String]) -> [String] {
    var merged: [String] = []
    merged.reserveCapacity(count + others.count)
    var rest = self[...]
    for other in others {
      while let text = rest.first, UniqueText(text) < UniqueText(other) {
        merged.append(text)
        rest.removeFirst()
      }
      if rest.first.map({ $0.isSameText(as: other) }) != true { merged.append(other) }
    }
    return merged + rest
  }
}
