import CatalogFiles
import StorekeeperCrypto
import Testing

/// Source: entitlement rules, sections 3, 3.3 and 11 (row 6).
@Suite("Faults of sealed catalogues")
struct SealedFileTests {
  private func failure(_ file: [UInt8], _ key: String) -> SealedCatalogFailure? {
    do throws(SealedCatalogFailure) {
      guard let key = try? CatalogKey(hexadecimal: key) else { return nil }
      _ = try SealedCatalog.open(file, key: key)
      return nil
    } catch {
      return error
    }
  }

  /// Whether a failure is one of the steps 3 and 4, which are all that a wrong key can show.
  private func isOfDecryption(_ failure: SealedCatalogFailure?) -> Bool {
    switch failure {
    case .decryptionFailed, .compressedDataInvalid, .outputTooLarge: true
    default: false
    }
  }

  @Test("files below 32 bytes are too short, others are a multiple of 16")
  func lengths() {
    let vector = SealedVector.raw
    for count in 0..<vector.bytes.count {
      let found = failure(Array(vector.bytes.prefix(count)), vector.key)
      switch count {
      case ..<32: #expect(found == .fileTooShort)
      case _ where !count.isMultiple(of: 16): #expect(found == .lengthNotBlockMultiple)
      default: #expect(isOfDecryption(found), "\(count) bytes: \(String(describing: found))")
      }
    }
  }

  @Test(
    "a file that no list makes as large is refused before it is decrypted", .timeLimit(.minutes(30))
  )
  func sizes() {
    #expect(SealedCatalog.maximumFileSize == 8_454_144)
    for (key, largest) in [
      (String(repeating: "0", count: 32), SealedCatalogFailure.decryptionFailed),
      (String(repeating: "0", count: 64), .authenticationFailed),
    ] {
      let start = Array("SKPL".utf8) + [1, 0, 0, 0]
      let file = start + [UInt8](repeating: 7, count: SealedCatalog.maximumFileSize - start.count)
      #expect(failure(file, key) == largest)
      #expect(failure(file + [7], key) == .outputTooLarge)
      #expect(failure(file + file, key) == .outputTooLarge)
    }
  }

  @Test("a file cut at any length is never a list", arguments: SealedVector.all)
  func cut(_ vector: SealedVector) {
    for count in 0..<vector.bytes.count {
      #expect(failure(Array(vector.bytes.prefix(count)), vector.key) != nil)
    }
  }

  @Test("another key is found in the padding or in the compressed data")
  func wrongKey() {
    var found: [String: Int] = [:]
    for number in 0..<512 {
      let digits = String(number, radix: 16)
      let key = String(repeating: "5", count: 32 - digits.count) + digits
      let failure = failure(SealedVector.entropy.bytes, key)
      #expect(isOfDecryption(failure))
      found[failure == .decryptionFailed ? "padding" : "data", default: 0] += 1
    }
    // About one wrong key of 256 leaves a valid padding.
    #expect(found["padding", default: 0] > 480)
  }

  @Test("V1 with its last byte changed is not decrypted")
  func lastByte() {
    for change in 1...UInt8.max {
      var bytes = SealedVector.raw.bytes
      bytes[bytes.count - 1] ^= change
      #expect(isOfDecryption(failure(bytes, SealedVector.raw.key)))
    }
  }

  @Test("paddings other than the right one are refused")
  func paddings() throws {
    // The last two blocks as plain text, encrypted without another padding.
    func failure(padding: [UInt8]) throws -> SealedCatalogFailure? {
      let plain = LZFSEEncoder.stored(Array("ab".utf8)) + padding
      let blocks = try AESCBC.encrypted(
        plain, key: EncryptedScene.key, vector: EncryptedScene.vector)
      return self.failure(EncryptedScene.vector + blocks.dropLast(16), SealedVector.raw.key)
    }
    let right = [UInt8](repeating: 2, count: 2)
    #expect(LZFSEEncoder.stored(Array("ab".utf8)).count == 14)
    #expect(try failure(padding: right) == nil)
    for wrong: [UInt8] in [[0, 0], [2, 1], [1, 2], [3, 3], [2, 17], [16, 16], [2, 255]] {
      // A wrong one, or one byte of padding, which leaves a byte behind the stream.
      #expect(try failure(padding: wrong) != nil)
    }
    #expect(try failure(padding: [0, 0]) == .decryptionFailed)
    #expect(
      try failure(padding: [2, 1])
        == .compressedDataInvalid(reason: .trailingBytes, offset: 14))
    let full = try AESCBC.encrypted(
      LZFSEEncoder.stored(Array("abcd".utf8)), key: EncryptedScene.key,
      vector: EncryptedScene.vector)
    #expect(full.count == 32)
    #expect(self.failure(EncryptedScene.vector + full, SealedVector.raw.key) == nil)
  }

  @Test("V4 with any byte changed is never a list")
  func changedContainer() {
    let vector = SealedVector.container
    for index in vector.bytes.indices {
      for change: UInt8 in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
        var bytes = vector.bytes
        bytes[index] ^= change
        let expected: SealedCatalogFailure =
          switch index {
          case 0..<4: .containerMagic
          case 4: .containerVersion
          // Another compression that exists is found by the tag.
          case 5: change == 1 ? .authenticationFailed : .containerFlags
          case 6, 7: .containerFlags
          default: .authenticationFailed
          }
        #expect(failure(bytes, vector.key) == expected, "byte \(index)")
      }
    }
  }

  @Test("containers below 36 bytes are too short, and cut ones are not authentic")
  func cutContainer() {
    let vector = SealedVector.container
    for count in 0..<vector.bytes.count {
      #expect(
        failure(Array(vector.bytes.prefix(count)), vector.key)
          == (count < 36 ? .fileTooShort : .authenticationFailed))
    }
    #expect(failure(vector.bytes + [0], vector.key) == .authenticationFailed)
    #expect(
      failure(vector.bytes, String(vector.key.reversed())) == .authenticationFailed)
  }

  @Test("the key decides the format, not the file")
  func otherFormat() throws {
    #expect(failure(SealedVector.raw.bytes, SealedVector.container.key) == .containerMagic)
    #expect(
      failure(SealedVector.container.bytes, SealedVector.raw.key) == .lengthNotBlockMultiple)
    let list = SealedVector.raw.list
    #expect(failure(list, SealedVector.container.key) == .containerMagic)
  }

  @Test("a list without bytes is refused in both formats")
  func empty() throws {
    let key = SealedVector.raw.key
    #expect(
      failure(try EncryptedScene.file([]), key)
        == .compressedDataInvalid(reason: .truncated, offset: 0))
    for stream in [LZFSEEncoder.stored([]), Array("bvx-\0\0\0\0bvx$".utf8)] {
      #expect(
        failure(try EncryptedScene.file(stream), key)
          == .compressedDataInvalid(reason: .wrongRawSize, offset: 0))
    }
    for (compression, content) in [
      (UInt8(0), []), (1, EntropyBlock.endMark), (1, []),
    ] as [(UInt8, [UInt8])] {
      let found = failure(try container(content, compression), SealedVector.container.key)
      #expect(found != nil && found != .authenticationFailed)
    }
  }

  @Test("a list of 8 MiB opens, and one byte more does not")
  func largest() throws {
    let list = [UInt8](repeating: UInt8(ascii: " "), count: SealedCatalog.maximumSize)
    let keys = [SealedVector.raw.key, SealedVector.container.key]
    for key in try keys.map(CatalogKey.init(hexadecimal:)) {
      for compression in SealedCatalog.Compression.allCases {
        let file = try SealedCatalog.seal(list, key: key, compression: compression)
        #expect(try SealedCatalog.open(file, key: key) == list)
      }
      #expect(throws: CatalogSealingFailure.tooLarge) {
        try SealedCatalog.seal(list + [0], key: key)
      }
    }
    let large = LZFSEEncoder.stored(list + [0])
    #expect(failure(try EncryptedScene.file(large), keys[0]) == .outputTooLarge)
    #expect(failure(try container(large, 1), keys[1]) == .outputTooLarge)
    #expect(failure(try container(list + [0], 0), keys[1]) == .outputTooLarge)
  }

  private func container(_ content: [UInt8], _ compression: UInt8) throws -> [UInt8] {
    let key = bytes(hexadecimal: SealedVector.container.key) ?? []
    let nonce = bytes(hexadecimal: SealedVector.container.start) ?? []
    let header = Array("SKPL".utf8) + [1, compression, 0, 0]
    return header + nonce
      + (try AESGCM.sealed(content, key: key, nonce: nonce, associated: header))
  }
}
