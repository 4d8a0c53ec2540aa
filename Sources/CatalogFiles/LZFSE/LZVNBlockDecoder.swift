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
