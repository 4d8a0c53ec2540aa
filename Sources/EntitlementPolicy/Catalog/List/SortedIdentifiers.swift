internal import JSONValues

/// Identifiers sorted by their bytes, in which those with the same beginning are neighbours.
///
/// The bytes lie side by side, as a hostile list can ask for more than a million beginnings.
struct SortedIdentifiers {
  let identifiers: [UniqueText]
  private let bytes: [UInt8]
  /// The place in ``bytes`` where each identifier begins, and the end of the last one.
  private let starts: [Int]

  init(_ unsorted: [UniqueText]) {
    identifiers = unsorted.sorted()
    var bytes: [UInt8] = []
    var starts = [0]
    bytes.reserveCapacity(identifiers.reduce(0) { $0 + $1.text.utf8.count })
    starts.reserveCapacity(identifiers.count + 1)
    for identifier in identifiers {
      bytes.append(contentsOf: identifier.text.utf8)
      starts.append(bytes.count)
    }
    self.bytes = bytes
    self.starts = starts
  }

  var count: Int { identifiers.count }

  /// The position of the first identifier that begins with these bytes, or nil if none does.
  func first(beginningWith start: [UInt8]) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle, start) { low = middle + 1 } else { high = middle }
    }
    guard low < count, bytes[starts[low]..<starts[low + 1]].starts(with: start) else { return nil }
    return low
  }

  /// The number of bytes of the identifier at a position.
  func byteCount(at position: Int) -> Int { starts[position + 1] - starts[position] }

  /// Returns whether two identifiers begin with the same number of equal bytes.
  func begin(_ one: Int, _ other: Int, withSame count: Int) -> Bool {
    byteCount(at: one) >= count && byteCount(at: other) >= count
      && bytes[starts[one]..<(starts[one] + count)]
        .elementsEqual(bytes[starts[other]..<(starts[other] + count)])
  }

  private func isBefore(_ position: Int, _ key: [UInt8]) -> Bool {
    let bytes = bytes.span
    let key = key.span
    let start = starts[position]
    let count = starts[position + 1] - start
    let common = min(count, key.count)
    var index = 0
    while index < common {
      let byte = bytes[start + index]
      if byte != key[index] { return byte < key[index] }
      index += 1
    }
    return count < key.count
  }
}
