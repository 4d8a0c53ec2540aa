import StorekeeperCrypto
import Testing

@Suite("Base64, read strictly")
struct Base64Tests {
  @Test(
    "the examples of RFC 4648 section 10",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func examples(plain: String, encoded: String) {
    #expect(Base64.encode(Array(plain.utf8), .standard) == encoded)
    #expect(Base64.decode(Array(encoded.utf8)[...], .standard) == Array(plain.utf8))
    let unpadded = String(encoded.prefix { $0 != "=" })
    #expect(Base64.encode(Array(plain.utf8), .url) == unpadded)
    #expect(Base64.decode(Array(unpadded.utf8)[...], .url) == Array(plain.utf8))
  }

  @Test(
    "base64url refuses padding, foreign characters, impossible lengths and unused bits",
    arguments: ["Zg==", "Zm8=", "Z", "Zm9vY", "Zm9v\n", " Zm9v", "Zm+v", "Zm/v", "Zh", "Zm9", "é"])
  func refusedURL(text: String) {
    #expect(Base64.decode(Array(text.utf8)[...], .url) == nil)
  }

  @Test(
    "standard base64 refuses missing or misplaced padding, base64url and line breaks",
    arguments: [
      "Zg", "Zg=", "Zg===", "Z===", "====", "=", "Zm9v====", "Zg==Zg==", "Zm-v", "Zm_v", "Zh==",
      "Zm9=", "Zm9v\n", "Zm\n9v", "Z=g=",
    ])
  func refusedStandard(text: String) {
    #expect(Base64.decode(Array(text.utf8)[...], .standard) == nil)
  }

  @Test("every byte value survives, at every length up to 300")
  func roundTrips() {
    for count in 0...300 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) }
      #expect(Base64.decode(Array(Base64.encode(bytes, .url).utf8)[...], .url) == bytes)
      #expect(Base64.decode(Array(Base64.encode(bytes, .standard).utf8)[...], .standard) == bytes)
      #expect(Base64.decode(Base64.encode(bytes, .url), .url) == bytes)
    }
  }

  @Test("a foreign character is refused wherever it is")
  func foreignCharacterAnywhere() {
    let digits = Array(repeating: UInt8(ascii: "A"), count: 44)
    for place in digits.indices {
      var changed = digits
      changed[place] = 0xC1
      #expect(Base64.decode(changed[...], .url) == nil)
    }
  }
}
