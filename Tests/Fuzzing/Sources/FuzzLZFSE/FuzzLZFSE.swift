import LZFSECoder

/// Fuzzes the decoder of LZFSE streams: no crash, nothing read or written outside; output within the limit, the same
/// with a limit of its own size, and too large with one less; failures lie within the bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLZFSE(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let stream = Array(UnsafeBufferPointer(start: start, count: count))
  let limit = 1 << 20
  do throws(LZFSEFailure) {
    let output = try LZFSEDecoder(limit: limit).decoded(stream)
    precondition(output.count <= limit, "more than allowed")
    let again = try LZFSEDecoder(limit: output.count).decoded(stream)
    precondition(again == output, "another output")
    if !output.isEmpty {
      do throws(LZFSEFailure) {
        _ = try LZFSEDecoder(limit: output.count - 1).decoded(stream)
        preconditionFailure("no limit")
      } catch {
        precondition(error == .outputTooLarge(limit: output.count - 1), "another failure")
      }
    }
    let stored = try LZFSEDecoder(limit: limit).decoded(LZFSEEncoder.stored(output))
    precondition(stored == output, "stored otherwise")
  } catch {
    switch error {
    case .invalid(_, let offset): precondition((0...count).contains(offset), "outside")
    case .outputTooLarge: break
    }
  }
  return 0
}
