#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

// The C library's searches; the standard library's go byte by byte, which on headers of four
// kilobytes costs as much as decoding a payload.
extension ArraySlice<UInt8> {
  /// Whether both have the same bytes; the time taken tells where they differ.
  func equals(_ other: ArraySlice<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else {
          return true
        }
        return unsafe memcmp(left, right, count) == 0
      }
    }
  }

  /// The first index at which a byte stands, or nil.
  func firstIndex(ofByte byte: UInt8) -> Int? {
    unsafe withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let found = unsafe memchr(start, Int32(byte), bytes.count)
      else { return nil }
      return unsafe startIndex + start.distance(to: UnsafeRawPointer(found))
    }
  }
}
