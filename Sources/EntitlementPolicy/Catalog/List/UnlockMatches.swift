internal import JSONValues

/// The products of a catalogue that entries of `unlocks` match.
///
/// There may be a million entries, so they are kept by position, and put in order once.
struct UnlockMatches {
  /// The positions of the identifiers that an entry equals, with repeats.
  private var exact: [Int] = []
  /// The beginnings, with repeats.
  private var beginnings: [Beginning] = []
  /// The number of matches from which repeats are looked for.
  private var limit = 4096
  /// The bytes of the entry that is added, in memory that all entries share.
  private var bytes: [UInt8] = []

  /// The beginning of an identifier.
  struct Beginning: Comparable, Hashable {
    /// The position of the first identifier that has it.
    let position: Int
    let byteCount: Int

    static func < (one: Beginning, other: Beginning) -> Bool {
      (one.position, one.byteCount) < (other.position, other.byteCount)
    }

    /// Returns whether the identifier at a position has this beginning.
    func covers(_ other: Int, in products: SortedIdentifiers) -> Bool {
      products.begin(position, other, withSame: byteCount)
    }
  }

  /// Adds an entry, and returns whether it matches anything.
  ///
  /// Source: entitlement rules, section 5.2.
  mutating func add(_ entry: String, in products: SortedIdentifiers) -> Bool {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: entry.utf8)
    let isBeginning = bytes.last == UInt8(ascii: "*")
    if isBeginning { bytes.removeLast() }
    guard let position = products.first(beginningWith: bytes) else { return false }
    if isBeginning {
      beginnings.append(Beginning(position: position, byteCount: bytes.count))
    } else {
      guard products.byteCount(at: position) == bytes.count else { return false }
      exact.append(position)
    }
    normalizeIfMany(in: products)
    return true
  }

  /// Adds what other entries match.
  mutating func add(_ other: UnlockMatches, in products: SortedIdentifiers) {
    exact += other.exact
    beginnings += other.beginnings
    normalizeIfMany(in: products)
  }

  private mutating func normalizeIfMany(in products: SortedIdentifiers) {
    guard exact.count + beginnings.count >= limit else { return }
    normalize(in: products)
    limit = 2 * max(exact.count + beginnings.count, 2048)
  }

  /// Puts the matches in order, and leaves out those that others cover.
  mutating func normalize(in products: SortedIdentifiers) {
    var shortest: [Beginning] = []
    for beginning in beginnings.sorted()
    where !(shortest.last?.covers(beginning.position, in: products) ?? false) {
      shortest.append(beginning)
    }
    var single: [Int] = []
    var next = shortest.startIndex
    for position in exact.sorted() where position != single.last {
      while next < shortest.endIndex, shortest[next].position <= position { next += 1 }
      guard next == 0 || !shortest[next - 1].covers(position, in: products) else { continue }
      single.append(position)
    }
    beginnings = shortest
    exact = single
  }

  /// Returns the rule that matches the same products, for matches in order.
  ///
  /// A text of more than 15 bytes has memory of its own, so rules share those of equal beginnings.
  func rule(
    in products: SortedIdentifiers, sharing texts: inout [Beginning: UniqueText]
  ) -> UnlockRule {
    UnlockRule(
      identifiers: exact.map { products.identifiers[$0] },
      beginnings: beginnings.map { beginning in
        if beginning.byteCount > 15, let text = texts[beginning] { return text }
        let bytes = products.identifiers[beginning.position].text.utf8.prefix(beginning.byteCount)
        let text = UniqueText(String(Substring(bytes)))
        if beginning.byteCount > 15 { texts[beginning] = text }
        return text
      })
  }
}
