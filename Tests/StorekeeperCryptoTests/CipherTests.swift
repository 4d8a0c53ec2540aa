import StorekeeperCrypto
import Testing

@Suite("AES")
struct CipherTests {
  @Test("the first vector of RFC 3602, without its padding")
  func cbcVector() throws {
    let key = try #require(bytes(hexadecimal: "06a9214036b8a15b512e03d534120006"))
    let vector = try #require(bytes(hexadecimal: "3dafba429d9eb430b422da802c9fac41"))
    let encrypted = try AESCBC.encrypted(
      Array("Single block msg".utf8), key: key, vector: vector)
    #expect(hexadecimal(Array(encrypted.prefix(16))) == "e353779c1079aeb82708942dbe77181a")
    #expect(encrypted.count == 32)
    let decrypted = try AESCBC.decrypted(encrypted[...], key: key, vector: vector)
    #expect(decrypted == Array("Single block msg".utf8))
  }

  @Test("any length is padded and comes back", arguments: 0...49)
  func cbcRoundTrip(count: Int) throws {
    let key = [UInt8](repeating: 1, count: 16)
    let vector = [UInt8](repeating: 2, count: 16)
    let message = (0..<count).map { UInt8($0) }
    let encrypted = try AESCBC.encrypted(message, key: key, vector: vector)
    #expect(encrypted.count == (count / 16 + 1) * 16)
    #expect(try AESCBC.decrypted(encrypted[...], key: key, vector: vector) == message)
  }

  @Test("a padding is n bytes with the value n, for 1 to 16")
  func padding() {
    for length in 0...255 {
      for size in 0...16 {
        let block =
          [UInt8](repeating: 0x55, count: 16 - size)
          + [UInt8](repeating: UInt8(length), count: size)
        // 0x55 is no length, so a block without padding has none.
        let isRight = (1...16).contains(length) && size >= length
        #expect(BlockPadding.length(of: block[...]) == (isRight ? length : nil))
      }
    }
    for length in 2...16 {
      for place in 0..<length - 1 {
        var block = [UInt8](repeating: UInt8(length), count: 16)
        block[16 - length + place] ^= 1
        #expect(BlockPadding.length(of: block[...]) == nil)
      }
    }
  }

  @Test("test case 16 of the GCM specification")
  func gcmVector() throws {
    let key = try #require(
      bytes(hexadecimal: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"))
    let nonce = try #require(bytes(hexadecimal: "cafebabefacedbaddecaf888"))
    let associated = try #require(
      bytes(hexadecimal: "feedfacedeadbeeffeedfacedeadbeefabaddad2"))
    let message = try #require(
      bytes(
        hexadecimal: """
          d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
          1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
          """))
    let sealed = try AESGCM.sealed(message, key: key, nonce: nonce, associated: associated)
    #expect(
      hexadecimal(sealed) == """
        522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa\
        8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662\
        76fc6ece0f4e1768cddf8853bb2d551b
        """)
    #expect(
      try AESGCM.opened(sealed[...], key: key, nonce: nonce, associated: associated) == message)
  }

  @Test("any change is found by the tag")
  func gcmChanges() throws {
    let key = [UInt8](repeating: 1, count: 32)
    let nonce = [UInt8](repeating: 2, count: 12)
    for message in [[], Array("message".utf8)] {
      let sealed = try AESGCM.sealed(message, key: key, nonce: nonce, associated: [3, 4])
      #expect(sealed.count == message.count + 16)
      #expect(
        try AESGCM.opened(sealed[...], key: key, nonce: nonce, associated: [3, 4]) == message)
      for index in sealed.indices {
        var changed = sealed
        changed[index] ^= 0x10
        #expect(
          try AESGCM.opened(changed[...], key: key, nonce: nonce, associated: [3, 4]) == nil)
      }
      let otherKey = [1, 2] + key.dropFirst(2)
      #expect(
        try AESGCM.opened(sealed[...], key: otherKey, nonce: nonce, associated: [3, 4]) == nil)
      #expect(
        try AESGCM.opened(
          sealed[...], key: key, nonce: Array(nonce.dropLast() + [9]), associated: [3, 4]) == nil)
      #expect(try AESGCM.opened(sealed[...], key: key, nonce: nonce, associated: [3]) == nil)
    }
  }
}
