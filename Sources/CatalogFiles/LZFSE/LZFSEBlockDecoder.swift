/// Decodes a block with entropy coding: first all literals, then matches between them.
///
/// Source: entitlement rules, section 3.1.
struct LZFSEBlockDecoder {
  private let block: LZFSEBlock
  private let header: LZFSEEntropyHeader
  private let input: LZFSEInput
  private let scratch: LZFSEScratch

  /// Creates a decoder; the frequencies of the block are in the scratch.
  init(
    _ block: LZFSEBlock, _ header: LZFSEEntropyHeader, _ input: LZFSEInput,
    _ scratch: LZFSEScratch
  ) {
    self.block = block
    self.header = header
    self.input = input
    self.scratch = scratch
  }

  func decode(to output: inout LZFSEOutput) throws(LZFSEFailure) {
    guard let sums = scratch.fillTables() else { throw fault(.badTable, block.start) }
    try decodeLiterals(sum: sums.literals)
    try decodeMatches(sums, to: &output)
  }

  /// Decodes the literals, which four states give in turn.
  private func decodeLiterals(sum: Int) throws(LZFSEFailure) {
    let start = block.payload
    guard
      var bits = LZFSEBitReader(
        input, start: start, end: start + header.literalPayload, bits: header.literalBits)
    else { throw fault(.badState, start) }
    let table = unsafe scratch.literalTable
    let literals = unsafe scratch.literals
    var states = (
      UInt32(header.literalStates.0), UInt32(header.literalStates.1),
      UInt32(header.literalStates.2), UInt32(header.literalStates.3)
    )
    @inline(__always)
    func next(_ state: inout UInt32, _ bits: inout LZFSEBitReader) -> UInt8 {
      let entry = unsafe table[Int(state)]
      state = entry &>> 16 &+ UInt32(truncatingIfNeeded: bits.read(UInt64(entry & 0xFF)))
      return UInt8(truncatingIfNeeded: entry &>> 8)
    }
    var index = 0
    while index < header.literals {
      // Each state takes at most 10 bits.
      guard bits.refill() else { break }
      unsafe literals[index] = next(&states.0, &bits)
      unsafe literals[index &+ 1] = next(&states.1, &bits)
      unsafe literals[index &+ 2] = next(&states.2, &bits)
      unsafe literals[index &+ 3] = next(&states.3, &bits)
      index &+= 4
    }
    guard header.literals == 0 || max(states.0, states.1, states.2, states.3) < sum else {
      throw fault(.badState, start)
    }
    guard index == header.literals, !bits.isOverdrawn else { throw fault(.truncated, start) }
  }

  /// Decodes literal lengths, match lengths and distances, and copies what they say.
  private func decodeMatches(
    _ sums: LZFSEScratch.Sums, to output: inout LZFSEOutput
  ) throws(LZFSEFailure) {
    let start = block.payload + header.literalPayload
    guard
      var bits = LZFSEBitReader(input, start: start, end: block.end, bits: header.matchBits)
    else { throw fault(.badState, start) }
    let lengths = unsafe scratch.literalLengthTable
    let matchLengths = unsafe scratch.matchLengthTable
    let distances = unsafe scratch.distanceTable
    var states = (
      UInt64(header.literalLengthState), UInt64(header.matchLengthState),
      UInt64(header.distanceState)
    )
    @inline(__always)
    func next(
      _ table: UnsafeMutablePointer<UInt64>, _ state: inout UInt64, _ bits: inout LZFSEBitReader
    ) -> Int {
      let entry = unsafe table[Int(truncatingIfNeeded: state)]
      let read = bits.read(entry & 0xFF)
      let extra = entry &>> 8 & 0xFF
      state = entry &>> 16 & 0xFFFF &+ read &>> extra
      return Int(truncatingIfNeeded: entry &>> 32 &+ read & (1 &<< extra &- 1))
    }

    var target = unsafe output.next(room: block.rawSize)
    // The number of bytes so far, and the largest one.
    var written = output.count
    let end = written &+ block.rawSize
    var literal = unsafe UnsafeRawPointer(scratch.literals)
    var literalsLeft = header.literals
    var distance = 0
    var left = header.matches
    var reason: LZFSEFailure.Reason?
    while left > 0 {
      // The three take at most 14, 17 and 23 bits.
      guard bits.refill() else {
        reason = .truncated
        break
      }
      let literalCount = unsafe next(lengths, &states.0, &bits)
      let matchCount = unsafe next(matchLengths, &states.1, &bits)
      let newDistance = unsafe next(distances, &states.2, &bits)
      // Zero stands for the distance before.
      distance = newDistance == 0 ? distance : newDistance
      guard literalCount <= literalsLeft else {
        reason = .truncated
        break
      }
      written &+= literalCount
      // Zero, which is the distance before the first one, becomes the greatest number.
      guard UInt(bitPattern: distance &- 1) < UInt(bitPattern: written) else {
        reason = .badDistance
        break
      }
      written &+= matchCount
      guard written <= end else {
        reason = .wrongRawSize
        break
      }
      // Wide copies end in the slack of the literals and of the output at the latest.
      unsafe WideCopy.copy(literalCount, from: literal, to: target)
      unsafe literal += literalCount
      literalsLeft &-= literalCount
      unsafe target += literalCount
      unsafe WideCopy.repeatBytes(matchCount, distance: distance, at: target)
      unsafe target += matchCount
      left &-= 1
    }
    guard
      header.matches == 0
        || states.0 < sums.literalLengths && states.1 < sums.matchLengths
          && states.2 < sums.distances
    else { throw fault(.badState, start) }
    if let reason { throw fault(reason, start) }
    guard !bits.isOverdrawn else { throw fault(.truncated, start) }
    guard written == end else { throw fault(.wrongRawSize, block.start + 4) }
    unsafe output.advance(to: target)
  }

  private func fault(_ reason: LZFSEFailure.Reason, _ offset: Int) -> LZFSEFailure {
    .invalid(reason: reason, offset: offset)
  }
}
