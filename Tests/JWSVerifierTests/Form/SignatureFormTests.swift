import JWSVerifier
import StorekeeperCrypto
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("The signature of a token")
struct SignatureFormTests {
  let authority: TestAuthority
  let token: TokenParts

  init() throws {
    authority = try TestAuthority()
    token = try TokenParts(authority.sign(Sample.transaction()))
  }

  /// Verifiers with an empty and with a filled cache, which must agree.
  private func verifiers() throws -> [SignedDataVerifier] {
    let warm = try authority.verifier()
    _ = try warm.transaction(token.text)
    return [try authority.verifier(), warm]
  }

  /// The order of P-256 (SP 800-186 section 3.2.1.3).
  private static let order: [UInt8] = [
    0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
  ]
  private static let zero = [UInt8](repeating: 0, count: 32)
  private static let one: [UInt8] = zero.dropLast() + [1]
  private static let orderMinusOne: [UInt8] = order.dropLast() + [0x50]
  private static let orderPlusOne: [UInt8] = order.dropLast() + [0x52]
  private static let highest = [UInt8](repeating: 0xFF, count: 32)

  static let malformations: [Change<[UInt8]>] = [
    Change("empty") { _ in [] },
    Change("one byte") { Array($0.prefix(1)) },
    Change("r only") { Array($0.prefix(32)) },
    Change("63 bytes") { Array($0.dropLast()) },
    Change("65 bytes") { $0 + [0] },
    Change("a zero byte in front") { [0] + $0 },
    Change("96 bytes, as ES384 has") { $0 + zero },
    Change("the DER form") { try #require(ECDSASignature(rawBytes: $0)).der },
    Change("all zero") { _ in zero + zero },
    Change("r zero") { zero + Array($0.suffix(32)) },
    Change("s zero") { Array($0.prefix(32)) + zero },
    Change("r the order") { order + Array($0.suffix(32)) },
    Change("s the order") { Array($0.prefix(32)) + order },
    Change("both the order") { _ in order + order },
    Change("r beyond the order") { orderPlusOne + Array($0.suffix(32)) },
    Change("s beyond the order") { Array($0.prefix(32)) + orderPlusOne },
    Change("r the highest number") { highest + Array($0.suffix(32)) },
    Change("s the highest number") { Array($0.prefix(32)) + highest },
  ]

  @Test(
    "a signature is 64 bytes with two numbers from 1 to below the order",
    arguments: malformations)
  func malformed(change: Change<[UInt8]>) throws {
    let attack = token.replacing(signature: try change(token.signatureBytes))
    for verifier in try verifiers() {
      #expect(throws: SignedDataFailure.signatureMalformed) {
        try verifier.transaction(attack)
      }
    }
  }

  @Test("arbitrary numbers in range are refused as a wrong signature")
  func inRange() throws {
    let signature = try token.signatureBytes
    let attacks = [
      Self.one + Self.one, Self.orderMinusOne + Self.orderMinusOne, Self.one + Self.orderMinusOne,
      signature.suffix(32) + signature.prefix(32),
    ]
    for verifier in try verifiers() {
      for attack in attacks {
        #expect(throws: SignedDataFailure.signatureInvalid) {
          try verifier.transaction(token.replacing(signature: Array(attack)))
        }
      }
    }
  }

  @Test("the twin of a signature, with n − s for s, is accepted and carries the same payload")
  func twin() throws {
    let signature = try token.signatureBytes
    let twin = token.replacing(
      signature: signature.prefix(32) + Self.negated(signature.suffix(32)))
    for verifier in try verifiers() {
      let first = try verifier.transaction(token.text)
      let second = try verifier.transaction(twin)
      #expect(first.token != second.token)
      #expect(first.payload == second.payload)
      #expect(first.payloadBytes == second.payloadBytes)
    }
  }

  /// n − s.
  private static func negated(_ number: some BidirectionalCollection<UInt8>) -> [UInt8] {
    var borrow = 0
    let digits = zip(order.reversed(), number.reversed()).map { digit, subtracted in
      let difference = Int(digit) - Int(subtracted) - borrow
      borrow = difference < 0 ? 1 : 0
      return UInt8(difference & 0xFF)
    }
    return digits.reversed()
  }

  @Test("a signature that only a cut encoding shortens is refused for its encoding")
  func cutEncoding() throws {
    // 86 characters stand for 64 bytes; 85 for none.
    let cut = String(token.signature.dropLast())
    #expect(throws: SignedDataFailure.badEncoding(.signature)) {
      try authority.verifier().transaction("\(token.content).\(cut)")
    }
  }
}
