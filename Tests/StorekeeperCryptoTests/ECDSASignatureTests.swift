import StorekeeperCrypto
import StorekeeperTesting
import Testing

@Suite("ECDSA signatures on P-256")
struct ECDSASignatureTests {
  private static let zero = [UInt8](repeating: 0, count: 32)

  private static func number(_ bytes: UInt8...) -> [UInt8] {
    zero.dropLast(bytes.count) + bytes
  }

  /// X.690 section 8.3: an INTEGER has as few bytes as possible, and is positive when its first bit
  /// is zero.
  static let forms: [([UInt8], [UInt8], [UInt8])] = [
    (number(1), number(1), [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01]),
    (number(0x7F), number(0x80), [0x30, 0x07, 0x02, 0x01, 0x7F, 0x02, 0x02, 0x00, 0x80]),
    (
      number(0xFF, 0x00), number(0x01, 0x00),
      [0x30, 0x09, 0x02, 0x03, 0x00, 0xFF, 0x00, 0x02, 0x02, 0x01, 0x00]
    ),
    (
      [UInt8](repeating: 0x55, count: 32), [UInt8](repeating: 0x80, count: 32),
      [0x30, 0x45, 0x02, 0x20] + [UInt8](repeating: 0x55, count: 32) + [0x02, 0x21, 0x00]
        + [UInt8](repeating: 0x80, count: 32)
    ),
  ]

  @Test("both forms stand for the same numbers", arguments: forms)
  func form(r: [UInt8], s: [UInt8], der: [UInt8]) throws {
    let signature = try #require(ECDSASignature(rawBytes: r + s))
    #expect(signature.der == der)
    #expect(ECDSASignature(der: der) == signature)
  }

  @Test("a signature survives the way to DER and back")
  func roundTrip() throws {
    let key = try PrivateKey(generating: .p256)
    for number in 0..<200 {
      let message = [UInt8(number)]
      let der = try key.signature(of: message)
      let signature = try #require(ECDSASignature(der: der))
      #expect(signature.der == der)
      #expect(ECDSASignature(rawBytes: signature.rawBytes) == signature)
      let digest = try SHA256.digest(of: message)
      #expect(try key.publicKey.isValid(signature, forDigest: digest))
    }
  }

  @Test(
    "anything but the distinguished encoding is refused",
    arguments: [
      [], [0x30], [0x30, 0x00], [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01],
      // Trailing bytes after it and inside it.
      [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01, 0x00],
      [0x30, 0x08, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01, 0x05, 0x00],
      // One number, three numbers.
      [0x30, 0x03, 0x02, 0x01, 0x01],
      [0x30, 0x09, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01],
      // Other tags.
      [0x31, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01],
      [0x30, 0x06, 0x03, 0x01, 0x01, 0x02, 0x01, 0x01],
      // Lengths in the long and in the indefinite form.
      [0x30, 0x81, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01],
      [0x30, 0x80, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01, 0x00, 0x00],
      [0x30, 0x07, 0x02, 0x81, 0x01, 0x01, 0x02, 0x01, 0x01],
      // Zero, negative, and not minimal.
      [0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x01],
      [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x00],
      [0x30, 0x06, 0x02, 0x01, 0xFF, 0x02, 0x01, 0x01],
      [0x30, 0x07, 0x02, 0x02, 0x00, 0x01, 0x02, 0x01, 0x01],
      [0x30, 0x05, 0x02, 0x00, 0x02, 0x01, 0x01],
      // A length beyond the end.
      [0x30, 0x06, 0x02, 0x20, 0x01, 0x02, 0x01, 0x01],
    ] as [[UInt8]])
  func refused(der: [UInt8]) {
    #expect(ECDSASignature(der: der) == nil)
  }

  @Test("every length but 64 is refused", arguments: [0, 1, 32, 63, 65, 96, 128])
  func length(count: Int) {
    #expect(ECDSASignature(rawBytes: [UInt8](repeating: 1, count: count)) == nil)
  }

  @Test("no signature fits another digest, and none fits a digest of another length")
  func otherDigest() throws {
    let key = try PrivateKey(generating: .p256)
    let message = Array("message".utf8)
    let signature = try #require(ECDSASignature(der: try key.signature(of: message)))
    let digest = try SHA256.digest(of: message)
    let publicKey = try key.publicKey
    #expect(try publicKey.isValid(signature, forDigest: digest))
    #expect(try !publicKey.isValid(signature, forDigest: SHA256.digest(of: [])))
    #expect(try !publicKey.isValid(signature, forDigest: digest.reversed()))
    #expect(try !publicKey.isValid(signature, forDigest: []))
    #expect(try !publicKey.isValid(signature, forDigest: Array(digest.dropLast())))
    let other = try PrivateKey(generating: .p256).publicKey
    #expect(try !other.isValid(signature, forDigest: digest))
  }
}
