import StorekeeperCrypto
import Testing

@Suite("HMAC with SHA-256")
struct HMACKeyTests {
  @Test("the test vectors of RFC 4231 with whole codes", arguments: vectors)
  func vector(key: String, message: String, code: String) throws {
    let key = try HMACKey(try #require(bytes(hexadecimal: key)))
    let message = try #require(bytes(hexadecimal: message))
    #expect(hexadecimal(try key.code(of: message[...])) == code)
  }

  @Test("an empty key is one of zeros")
  func empty() throws {
    let message = Array("a".utf8)[...]
    let zeros = try HMACKey([UInt8](repeating: 0, count: 64))
    #expect(try HMACKey([]).code(of: message) == zeros.code(of: message))
  }

  /// Test cases 1 to 4, 6 and 7 of RFC 4231 section 4: key, message, HMAC-SHA-256.
  private static let vectors: [(String, String, String)] = [
    (
      String(repeating: "0b", count: 20), "4869205468657265",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      "0102030405060708090a0b0c0d0e0f10111213141516171819", String(repeating: "cd", count: 50),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    ),
    (
      String(repeating: "aa", count: 131),
      hexadecimal(
        Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      String(repeating: "aa", count: 131),
      hexadecimal(
        Array(
          ("This is a test using a larger than block-size key and a larger than block-size data. "
            + "The key needs to be hashed before being used by the HMAC algorithm.").utf8)),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
  ]
}
