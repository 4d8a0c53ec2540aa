/// Decodes a block of LZVN opcodes.
///
/// Source: entitlement rules, section 3.1.
struct LZVNBlockDecoder {
  private let input: LZFSEInput
  private let block: LZFSEBlock
  private var offset: Int
  /// The distance of the match before, 0 at the start of each block.
  private var distance = 0

  init(_ block: LZFSEBlock, _ input: LZFSEInput) {
    self.block = block
    self.input = input
    offset = block.payload
  }

  mutating func decode(to output: inout LZFSEOutput) throws(LZFSEFailure) {
    var target = unsafe output.next(room: block.rawSize)
    let before = output.count
    var written = before
    let end = before + block.rawSize
    while offset < block.end {
      let opcode = LZVNOpcode(input, at: offset, end: block.end, distance: distance)
      switch opcode {
      case .truncated: throw fault(.truncated)
      case .undefined: throw fault(.badOpcode)
      case .nothing: offset += 1
      case .end:
        guard offset + 8 == block.end else { throw fault(.badOpcode) }
        guard written == end else {
          throw .invalid(reason: .wrongRawSize, offset: block.start + 4)
        }
        unsafe output.advance(to: target)
        return
      case .copy(let copy):
        guard written + copy.literals + copy.match <= end else { throw fault(.wrongRawSize) }
        let source = offset + copy.size
        if source + copy.literals + 16 <= input.count {
          unsafe WideCopy.copy(copy.literals, from: input.address(source), to: target)
        } else {
          unsafe target.copyMemory(from: input.address(source), byteCount: copy.literals)
        }
        unsafe target += copy.literals
        written += copy.literals
        if copy.match > 0 {
          guard copy.distance > 0, copy.distance <= written else { throw fault(.badDistance) }
          distance = copy.distance
          unsafe WideCopy.repeatBytes(copy.match, distance: distance, at: target)
          unsafe target += copy.match
          written += copy.match
        }
        offset = source + copy.literals
      }
    }
    throw fault(.truncated)
  }

  private func fault(_ reason: LZFSEFailure.Reason) -> LZFSEFailure {
    .invalid(reason: reason, offset: offset)
  }
}

/// One opcode of LZVN.
///
/// Source: entitlement rules, section 3.1.
enum LZVNOpcode {
  /// Literals that follow the opcode, and then a match.
  case copy(Copy)
  /// An opcode without effect.
  case nothing
  case end
  /// A byte that is no opcode, or an end with other bytes than zeros.
  case undefined
  /// The opcode or its literals go beyond the payload.
  case truncated

  /// The literals and the match of an opcode.
  struct Copy {
    /// The number of bytes of the opcode without its literals.
    let size: Int
    let literals: Int
    /// The number of bytes of the match, 0 for none.
    let match: Int
    let distance: Int
  }

  /// Reads an opcode; `distance` is that of the match before.
  @inline(__always)
  init(_ input: LZFSEInput, at offset: Int, end: Int, distance: Int) {
    let left = end - offset
    let first = Int(input.byte(offset))
    var size = 1
    var literals = first >> 6
    var match = (first >> 3 & 7) + 3
    var distance = distance
    switch first {
    case 0xF0...:
      // 1111MMMM, or 11110000 MMMMMMMM: only a match.
      size = first == 0xF0 ? 2 : 1
      guard left >= size else {
        self = .truncated
        return
      }
      literals = 0
      match = first == 0xF0 ? Int(input.byte(offset + 1)) + 16 : first & 15
    case 0xE0...:
      // 1110LLLL, or 11100000 LLLLLLLL: only literals.
      size = first == 0xE0 ? 2 : 1
      guard left >= size else {
        self = .truncated
        return
      }
      literals = first == 0xE0 ? Int(input.byte(offset + 1)) + 16 : first & 15
      match = 0
    case 0xA0..<0xC0:
      // 101LLMMM DDDDDDMM DDDDDDDD: the distance of medium length.
      size = 3
      guard left >= size else {
        self = .truncated
        return
      }
      let rest = Int(input.integer(offset + 1) as UInt16)
      literals = first >> 3 & 3
      match = (first & 7) << 2 + rest & 3 + 3
      distance = rest >> 2
    case 0x70..<0x80, 0xD0..<0xE0:
      self = .undefined
      return
    default:
      switch first & 7 {
      case 7:
        // LLMMM111 DDDDDDDD DDDDDDDD: the largest distances.
        size = 3
        guard left >= size else {
          self = .truncated
          return
        }
        distance = Int(input.integer(offset + 1) as UInt16)
      case 6:
        // LLMMM110: the distance before, if there are literals; else one of the few without a copy.
        if first < 0x40 {
          self = Self.special(first, input, at: offset, left: left)
          return
        }
      default:
        // LLMMMDDD DDDDDDDD: a small distance.
        size = 2
        guard left >= size else {
          self = .truncated
          return
        }
        distance = (first & 7) << 8 | Int(input.byte(offset + 1))
      }
    }
    self =
      left >= size + literals
      ? .copy(Copy(size: size, literals: literals, match: match, distance: distance))
      : .truncated
  }

  private static func special(
    _ first: Int, _ input: LZFSEInput, at offset: Int, left: Int
  ) -> LZVNOpcode {
    switch first {
    case 0x06:
      guard left >= 8 else { return .truncated }
      return input.integer(offset) as UInt64 == 6 ? .end : .undefined
    case 0x0E, 0x16: return .nothing
    default: return .undefined
    }
  }
}
