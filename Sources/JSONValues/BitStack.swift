/// A stack of bits.
struct BitStack {
  private var words: [UInt64] = []
  private var count = 0

  var isEmpty: Bool { count == 0 }

  var last: Bool? {
    isEmpty ? nil : words[(count - 1) / 64] >> UInt64((count - 1) % 64) & 1 == 1
  }

  mutating func push(_ bit: Bool) {
    if count % 64 == 0, count / 64 == words.count { words.append(0) }
    let mask = UInt64(1) << UInt64(count % 64)
    if bit { words[count / 64] |= mask } else { words[count / 64] &= ~mask }
    count += 1
  }

  mutating func pop() { count -= 1 }
}
