#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

// These use the C library. The standard library's searches go byte by byte, which on headers of
// four kilobytes costs as much as decoding a payload.
extension ArraySlice<UInt8> {
  /// Returns whether both have the same bytes; not in constant time.
  package func equals(_ other: ArraySlice<UInt8>) -> Bool {
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

  /// Returns the first index of a byte, or nil.
  package func firstIndex(ofByte byte: UInt8) -> Int? {
    unsafe withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let found = unsafe memchr(start, Int32(byte), bytes.count)
      else { return nil }
      return unsafe startIndex + start.distance(to: UnsafeRawPointer(found))
    }
  }
}
