internal import JSONValues

/// A rule for which products a subscription unlocks.
///
/// An entry is an exact identifier, or the beginning of identifiers with one `*` after it, in plain bytes. The
/// rule judges texts only: of a catalogue's products, a subscription unlocks those that are
/// ``CatalogProduct/isUnlockable``, too. Source: entitlement rules, sections 1 and 5.2.
public struct UnlockRule: Hashable, Sendable {
  /// The exact identifiers that no beginning covers, sorted, each once.
  ///
  /// An array and not a set, because a hostile list can have more than a million of them.
  private let identifiers: [UniqueText]
  /// The beginnings, sorted, none of which is the beginning of another one.
  private let beginnings: [UniqueText]

  /// Creates a rule from entries, whose characters are not checked; without any, nothing is unlocked.
  public init(entries: some Sequence<String>) {
    var identifiers: [UniqueText] = []
    var beginnings: [UniqueText] = []
    for entry in entries {
      if entry.utf8.last == UInt8(ascii: "*") {
        beginnings.append(UniqueText(String(entry.unicodeScalars.dropLast())))
      } else {
        identifiers.append(UniqueText(entry))
      }
    }
    let shortest = Self.shortest(of: beginnings.sorted())
    self.beginnings = shortest
    self.identifiers = Self.single(in: identifiers.sorted()).filter {
      !Self.covers($0, by: shortest)
    }
  }

  /// Creates a rule from identifiers and beginnings that are sorted, each once, none covered by a beginning.
  init(identifiers: [UniqueText], beginnings: [UniqueText]) {
    self.identifiers = identifiers
    self.beginnings = beginnings
  }

  /// The entries, sorted by their bytes, without those that others cover.
  ///
  /// In a catalogue, entries that unlock nothing are left out, too; the warnings have them.
  public var entries: [String] {
    let all = identifiers + beginnings.map { UniqueText($0.text + "*") }
    return all.sorted().map(\.text)
  }

  /// Returns whether an entry matches an identifier.
  ///
  /// It takes time that grows with the logarithm of the number of entries, and no memory.
  public func unlocks(_ identifier: String) -> Bool {
    let identifier = UniqueText(identifier)
    let end = Self.end(of: identifier, in: identifiers)
    return end > 0 && identifiers[end - 1] == identifier
      || Self.covers(identifier, by: beginnings)
  }

  /// Returns sorted texts, each once.
  private static func single(in texts: [UniqueText]) -> [UniqueText] {
    var single: [UniqueText] = []
    for text in texts where text != single.last { single.append(text) }
    return single
  }

  /// Returns sorted texts without those that begin with another one.
  private static func shortest(of texts: [UniqueText]) -> [UniqueText] {
    var shortest: [UniqueText] = []
    for text in texts {
      if let last = shortest.last, text.text.utf8.starts(with: last.text.utf8) { continue }
      shortest.append(text)
    }
    return shortest
  }

  /// Returns whether one of sorted beginnings is that of a text.
  ///
  /// As none is the beginning of another, only the last one that is not after the text can be.
  private static func covers(_ text: UniqueText, by beginnings: [UniqueText]) -> Bool {
    let end = end(of: text, in: beginnings)
    return end > 0 && text.text.utf8.starts(with: beginnings[end - 1].text.utf8)
  }

  /// Returns the number of sorted texts that are not after a text.
  private static func end(of text: UniqueText, in texts: [UniqueText]) -> Int {
    var low = 0
    var high = texts.count
    while low < high {
      let middle = (low + high) / 2
      if text < texts[middle] { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
