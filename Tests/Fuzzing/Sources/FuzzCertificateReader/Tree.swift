/// A tree of DER values, in which a change of one corrects the lengths of those around it.
struct Tree: Sendable {
  var tag: UInt8
  /// The inner values, or empty if the content is not values.
  var children: [Tree] = []
  /// The content, if it is not values.
  var content: [UInt8] = []
  /// The whole value with tag and length, if it is kept unchanged.
  private var raw: [UInt8]?

  init(raw: [UInt8]) {
    tag = raw.first ?? 0
    self.raw = raw
  }

  /// Creates the tree of the value that fills the bytes.
  init?(_ bytes: [UInt8], depth: Int) {
    guard let values = Self.values(bytes, depth: depth), values.count == 1 else { return nil }
    self = values[0]
  }

  private init(tag: UInt8, content: [UInt8], depth: Int) {
    self.tag = tag
    self.content = content
    let mayHoldValues = tag & 0x20 != 0 || tag == 0x04
    if mayHoldValues, depth < 12, !content.isEmpty,
      let children = Self.values(content, depth: depth + 1)
    {
      self.children = children
    }
  }

  private static func values(_ bytes: [UInt8], depth: Int) -> [Tree]? {
    var values: [Tree] = []
    var index = 0
    while index < bytes.count {
      guard index + 1 < bytes.count else { return nil }
      let tag = bytes[index]
      var length = Int(bytes[index + 1])
      index += 2
      if length >= 0x80 {
        let digits = length & 0x7F
        guard (1...3).contains(digits), index + digits <= bytes.count else { return nil }
        length = bytes[index..<(index + digits)].reduce(0) { $0 << 8 | Int($1) }
        index += digits
      }
      guard length <= bytes.count - index else { return nil }
      let content = Array(bytes[index..<(index + length)])
      values.append(Tree(tag: tag, content: content, depth: depth))
      index += length
    }
    return values
  }

  var bytes: [UInt8] {
    if let raw { return raw }
    let inside = children.isEmpty ? content : children.flatMap(\.bytes)
    let count = inside.count
    let length: [UInt8] =
      switch count {
      case ..<0x80: [UInt8(count)]
      case ..<0x100: [0x81, UInt8(count)]
      case ..<0x10000: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
      default: [0x83, UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
      }
    return [tag] + length + inside
  }

  /// The number of values, including this one.
  private var count: Int { children.reduce(1) { $0 + $1.count } }

  /// Mutates a value anywhere in the tree.
  mutating func mutate(_ random: inout Random) {
    let place = random.next(below: count)
    mutate(place, &random)
  }

  private mutating func mutate(_ place: Int, _ random: inout Random) {
    guard place > 0 else {
      changeHere(&random)
      return
    }
    var rest = place - 1
    for index in children.indices {
      let size = children[index].count
      if rest < size {
        if rest == 0, random.next(below: 3) == 0 {
          moveChild(index, &random)
        } else {
          children[index].mutate(rest, &random)
        }
        return
      }
      rest -= size
    }
  }

  /// Removes a value, duplicates it, or swaps it with its neighbor.
  private mutating func moveChild(_ index: Int, _ random: inout Random) {
    switch random.next(below: 4) {
    case 0 where children.count > 1: children.remove(at: index)
    case 1: children.insert(children[index], at: index)
    case 2: children.swapAt(index, random.next(below: children.count))
    default: children.insert(Self.spares[random.next(below: Self.spares.count)], at: index)
    }
  }

  private mutating func changeHere(_ random: inout Random) {
    switch random.next(below: 8) {
    case 0: tag ^= 1 << UInt8(random.next(below: 8))
    case 1: self = Self.spares[random.next(below: Self.spares.count)]
    case 2 where tag == 0x06: content = Self.types[random.next(below: Self.types.count)]
    default:
      let inside = children.isEmpty ? content : children.flatMap(\.bytes)
      content = inside
      children = []
      guard !content.isEmpty, random.next(below: 6) != 0 else {
        content.append(UInt8(random.next(below: 256)))
        return
      }
      let index = random.next(below: content.count)
      switch random.next(below: 4) {
      case 0: content[index] ^= 1 << UInt8(random.next(below: 8))
      case 1: content[index] = UInt8(random.next(below: 256))
      case 2: content[index] = [0x00, 0x01, 0x7F, 0x80, 0xFF][random.next(below: 5)]
      default: content.remove(at: index)
      }
    }
  }

  /// Relevant types of extensions, names and algorithms.
  private static let types: [[UInt8]] =
    [14, 15, 17, 19, 30, 31, 32, 33, 35, 36, 37, 46, 54].map { [0x55, 0x1D, $0] }
    + [
      [0x2B, 6, 1, 5, 5, 7, 1, 1], [0x2B, 6, 1, 5, 5, 7, 1, 7], [0x2B, 6, 1, 5, 5, 7, 1, 8],
      [0x2B, 6, 1, 5, 5, 7, 1, 14], [0x60, 0x86, 0x48, 0x01, 0x86, 0xF8, 0x42, 0x01, 0x01],
      [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 5],
      [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 11],
      [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 10], [0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2],
      [0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 3], [0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7],
      [0x2B, 0x81, 0x04, 0x00, 0x22], [0x2B, 0x81, 0x04, 0x00, 0x21], [0x55, 4, 3], [0x55, 4, 10],
    ]

  /// Values that replace others.
  private static let spares: [Tree] = [
    [0x05, 0x00], [0x01, 0x01, 0xFF], [0x01, 0x01, 0x00], [0x01, 0x01, 0x01], [0x02, 0x01, 0x00],
    [0x02, 0x01, 0x02], [0x02, 0x01, 0xFF], [0x02, 0x09, 1, 0, 0, 0, 0, 0, 0, 0, 0], [0x30, 0x00],
    [0x31, 0x00], [0x04, 0x02, 0x30, 0x00], [0x03, 0x02, 0x02, 0x04], [0x03, 0x01, 0x00],
    [0x0C, 0x03, 0x20, 0x41, 0x20], [0x13, 0x01, 0x61], [0x1E, 0x02, 0x00, 0x41],
    [0x1E, 0x01, 0x41],
    [0x0C, 0x02, 0xC3, 0xA4], [0x0C, 0x01, 0xFF], [0x14, 0x01, 0xE4], [0x80, 0x01, 0x01],
    [0x81, 0x02, 0x00, 0xFF], [0x82, 0x01, 0x61],
    [0x17, 0x0D] + Array("491231235959Z".utf8), [0x17, 0x0B] + Array("4912312359Z".utf8),
    [0x18, 0x0F] + Array("00000229000000Z".utf8), [0x18, 0x0F] + Array("99991231235960Z".utf8),
    // keyUsage, basicConstraints, authorityKeyIdentifier with a name, a point by a relative name
    [0x30, 0x0B, 0x06, 0x03, 0x55, 0x1D, 0x0F, 0x04, 0x04, 0x03, 0x02, 0x02, 0x84],
    [
      0x30, 0x0F, 0x06, 0x03, 0x55, 0x1D, 0x13, 0x01, 0x01, 0xFF, 0x04, 0x05, 0x30, 0x03, 0x01,
      0x01, 0xFF,
    ],
    [0x30, 0x0C, 0x06, 0x03, 0x55, 0x1D, 0x23, 0x04, 0x05, 0x30, 0x03, 0x80, 0x01, 0x41],
    [
      0x30, 0x1E, 0x06, 0x03, 0x55, 0x1D, 0x23, 0x04, 0x17, 0x30, 0x15, 0xA1, 0x10, 0xA4, 0x0E,
      0x30,
      0x0C, 0x31, 0x0A, 0x30, 0x08, 0x06, 0x03, 0x55, 0x04, 0x03, 0x0C, 0x01, 0x41, 0x82, 0x01,
      0x01,
    ],
    [
      0x30, 0x1B, 0x06, 0x03, 0x55, 0x1D, 0x1F, 0x04, 0x14, 0x30, 0x12, 0x30, 0x10, 0xA0, 0x0E,
      0xA0,
      0x0C, 0x86, 0x0A, 0x68, 0x74, 0x74, 0x70, 0x3A, 0x2F, 0x2F, 0x61, 0x2E, 0x62,
    ],
    [0x30, 0x0C, 0x06, 0x03, 0x55, 0x1D, 0x11, 0x04, 0x05, 0x30, 0x03, 0x82, 0x01, 0x61],
    [
      0x30, 0x13, 0x06, 0x03, 0x55, 0x1D, 0x25, 0x04, 0x0C, 0x30, 0x0A, 0x06, 0x08, 0x2B, 0x06,
      0x01,
      0x05, 0x05, 0x07, 0x03, 0x09,
    ],
  ].map(Tree.init(raw:))
}

/// A generator of numbers that depend only on a seed.
struct Random {
  var state: UInt64

  mutating func next(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}
