import StorekeeperCrypto
import Testing

@Suite("SHA-256")
struct SHA256Tests {
  /// FIPS 180-2 appendix B and NIST's short messages.
  static let vectors: [(String, String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
        + "lmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test("the published messages have the published digests", arguments: vectors)
  func vector(message: String, digest: String) throws {
    let found = try SHA256.digest(of: Array(message.utf8))
    #expect(found.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == digest)
  }

  @Test("prefix and rest give the digest of the whole, wherever it is split")
  func prefixes() throws {
    let message = (0..<200).map { UInt8($0) }
    let whole = try SHA256.digest(of: message)
    for place in 0...message.count {
      let prefix = try DigestPrefix(message[..<place])
      #expect(try prefix.digest(appending: message[place...]) == whole)
      // The prefix is not used up.
      #expect(try prefix.digest(appending: message[place...]) == whole)
    }
  }

  @Test("a slice is hashed by its own bytes only")
  func slices() throws {
    let bytes = Array("xxabcyy".utf8)
    #expect(
      try DigestPrefix([]).digest(appending: bytes[2..<5]) == SHA256.digest(of: Array("abc".utf8)))
  }

  @Test("many threads may use one prefix")
  func threads() async throws {
    let prefix = try DigestPrefix(Array("ab".utf8)[...])
    let expected = try SHA256.digest(of: Array("abc".utf8))
    let mistakes = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<500).count { _ in
            (try? prefix.digest(appending: Array("c".utf8)[...])) != expected
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(mistakes == 0)
  }
}
