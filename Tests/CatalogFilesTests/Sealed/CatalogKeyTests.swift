import CatalogFiles
import Testing

/// Source: entitlement rules, section 3, step 1.
@Suite("Keys of catalogues")
struct CatalogKeyTests {
  private static let digits = "00112233445566778899aabbccddeeff"

  @Test("the length decides the format, in either case")
  func format() throws {
    #expect(try CatalogKey(hexadecimal: Self.digits).format == .encrypted)
    #expect(try CatalogKey(hexadecimal: Self.digits.uppercased()).format == .encrypted)
    #expect(try CatalogKey(hexadecimal: Self.digits + Self.digits).format == .authenticated)
    let vector = SealedVector.raw
    let upper = try CatalogKey(hexadecimal: vector.key.uppercased())
    #expect(try SealedCatalog.open(vector.bytes, key: upper) == vector.list)
  }

  @Test("other lengths are refused", arguments: [0, 1, 16, 31, 33, 48, 63, 65, 128])
  func length(count: Int) {
    #expect(throws: CatalogKeyFailure.keyLength) {
      try CatalogKey(hexadecimal: String(repeating: "a", count: count))
    }
  }

  @Test(
    "other characters are refused",
    arguments: [
      "00112233445566778899aabbccddeefg", " 0112233445566778899aabbccddeeff",
      "0011223344556677-899aabbccddeeff", "0x112233445566778899aabbccddeeff",
      "００112233445566778899aabbccddeeff", "é0112233445566778899aabbccddeeff",
    ])
  func characters(text: String) {
    #expect(throws: CatalogKeyFailure.keyNotHex) { try CatalogKey(hexadecimal: text) }
  }

  @Test("one line break may end a file")
  func file() throws {
    for end in ["", "\n", "\r\n"] {
      #expect(try CatalogKey(file: Array((Self.digits + end).utf8)).format == .encrypted)
    }
    for text in ["", "\n", Self.digits + "\n\n", Self.digits + " ", "\n" + Self.digits] {
      #expect(throws: CatalogKeyFailure.keyLength) { try CatalogKey(file: Array(text.utf8)) }
    }
    #expect(throws: CatalogKeyFailure.keyNotHex) {
      try CatalogKey(file: [0xFF] + Array(Self.digits.utf8.dropFirst()))
    }
  }

  @Test("no description, mirror or dump shows the key")
  func secrecy() throws {
    let key = try CatalogKey(hexadecimal: Self.digits)
    var dumped = ""
    dump(key, to: &dumped)
    // The bytes in decimal are what a dump of them would have.
    for text in ["\(key)", String(reflecting: key), "\(Mirror(reflecting: key).children)", dumped] {
      for part in ["0011", "aabb", "238", "ee"] {
        #expect(!text.contains(part), "\(part) in \(text)")
      }
    }
  }
}
