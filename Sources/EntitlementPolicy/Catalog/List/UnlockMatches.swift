/// The products of a catalogue that entries of `unlocks` match.
///
/// Of several beginnings, only the shortest at each place matters.
struct UnlockMatches {
  /// The positions of the identifiers that an entry equals.
  private var exact: Set<Int> = []
  /// The sizes in bytes of the beginnings, by the position of the first identifier that has it.
  private var beginnings: [Int: Int] = [:]

  /// Adds an entry, and returns whether it matches anything.
  ///
  /// Source: entitlement rules, section 5.2.
  mutating func add(_ entry: String, in products: SortedIdentifiers) -> Bool {
    var bytes = Array(entry.utf8)
    let isBeginning = bytes.last == UInt8(ascii: "*")
    if isBeginning { bytes.removeLast() }
    guard let position = products.first(beginningWith: bytes) else { return false }
    if isBeginning {
      beginnings[position] = min(beginnings[position] ?? .max, bytes.count)
    } else {
      guard products.byteCount(at: position) == bytes.count else { return false }
      exact.insert(position)
    }
    return true
  }

  /// Adds what other entries match.
  mutating func formUnion(_ other: UnlockMatches) {
    exact.formUnion(other.exact)
    beginnings.merge(other.beginnings, uniquingKeysWith: min)
  }

  /// The rule that matches the same products.
  func rule(in products: SortedIdentifiers) -> UnlockRule {
    var shortest: [UniqueText] = []
    var covering: (position: Int, count: Int)?
    for position in beginnings.keys.sorted() {
      guard let count = beginnings[position] else { continue }
      if let covering, products.begin(covering.position, position, withSame: covering.count) {
        continue
      }
      covering = (position, count)
      let identifier = products.identifiers[position].text
      shortest.append(UniqueText(String(decoding: identifier.utf8.prefix(count), as: UTF8.self)))
    }
    return UnlockRule(identifiers: exact.map { products.identifiers[$0] }, beginnings: shortest)
  }
}
