import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("Verifying many tokens at once")
struct BatchTests {
  let authority: TestAuthority
  let verifier: SignedDataVerifier

  init() throws {
    authority = try TestAuthority()
    verifier = try authority.verifier()
  }

  /// Good and bad tokens in turn, with what is to be expected of each.
  private func mixture(count: Int) throws -> [(String, Result<Int, SignedDataFailure>)] {
    try (0..<count).map { number in
      let payload = Sample.transaction(["quantity": .integer(number)])
      let token = try authority.sign(payload)
      return switch number % 5 {
      case 1:
        (
          try TokenParts(token).replacing(signature: [UInt8](repeating: 1, count: 64)),
          .failure(.signatureInvalid)
        )
      case 3: ("\(number)", .failure(.malformedToken))
      default: (token, .success(number))
      }
    }
  }

  /// Around the size of a part that one core takes, and beyond.
  @Test(
    "each token has its own result, in order",
    arguments: [0, 1, 2, 5, 31, 32, 33, 63, 64, 65, 200])
  func order(count: Int) throws {
    let rows = try mixture(count: count)
    let results = verifier.verify(rows.map(\.0))
    #expect(results.map { $0.map { $0.payload.quantity ?? -1 } } == rows.map(\.1))
  }

  @Test("nothing gives nothing")
  func empty() {
    #expect(verifier.verify([]).isEmpty)
    #expect(verifier.verify([String](), as: .notification).isEmpty)
  }

  @Test("one bad token spoils no other", arguments: ["", "a.b.c", "😀", "x.y"])
  func oneBad(bad: String) throws {
    let good = try (0..<40).map { try authority.sign(Sample.transaction(["price": .integer($0)])) }
    for place in [0, 1, 20, 39, 40] {
      var tokens = good
      tokens.insert(bad, at: place)
      let results = verifier.verify(tokens)
      for (index, (token, result)) in zip(tokens, results).enumerated() {
        if index == place {
          #expect(throws: SignedDataFailure.self) { try result.get() }
        } else {
          #expect(try result.get().token == token)
        }
      }
    }
  }

  @Test("a batch of every kind gives what verifying alone gives")
  func everyKind() throws {
    let tokens = [
      try authority.sign(Sample.transaction()), try authority.sign(Sample.renewalInfo()),
      try authority.sign(Sample.appTransaction()), try authority.sign(Sample.realtimeRequest()),
      try authority.sign(Sample.notification()), "",
    ]
    #expect(verifier.verify(tokens, as: .transaction) == tokens.map(alone(verifier.transaction)))
    #expect(verifier.verify(tokens, as: .renewalInfo) == tokens.map(alone(verifier.renewalInfo)))
    #expect(
      verifier.verify(tokens, as: .appTransaction) == tokens.map(alone(verifier.appTransaction)))
    #expect(
      verifier.verify(tokens, as: .realtimeRequest) == tokens.map(alone(verifier.realtimeRequest)))
    let notifications = verifier.verify(tokens, as: .notification)
    let expected = tokens.map(alone(verifier.notification))
    #expect(notifications.map { $0.map(\.token) } == expected.map { $0.map(\.token) })
    #expect(try notifications[4].get().payload.notification.notificationType == .test)
  }

  private func alone<Payload>(
    _ verify: @escaping (String) throws(SignedDataFailure) -> Verified<Payload>
  ) -> (String) -> Result<Verified<Payload>, SignedDataFailure> {
    { token in Result { () throws(SignedDataFailure) in try verify(token) } }
  }

  @Test("any collection of texts will do")
  func collections() throws {
    let token = try authority.sign(Sample.transaction())
    #expect(verifier.verify([token, token][1...]).count == 1)
    #expect(verifier.verify(repeatElement(token, count: 70)).count == 70)
    #expect(verifier.verify(Set([token])).count == 1)
    #expect(verifier.verify([1, 2].lazy.map { _ in token }).count == 2)
  }
}
