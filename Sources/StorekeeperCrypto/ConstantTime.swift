internal import CStorekeeperOpenSSL

/// Whether two sequences of bytes are the same, in a time that depends on their lengths only.
package func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}
