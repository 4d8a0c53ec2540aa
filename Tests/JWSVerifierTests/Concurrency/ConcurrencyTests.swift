import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("One verifier, many tasks")
struct ConcurrencyTests {
  @Test("eight tasks of a thousand verifications each give the same results as one")
  func tasks() async throws {
    let authority = try TestAuthority()
    let verifier = try authority.verifier(cache: .init(entries: 3))
    // More headers than the limit, so that entries are inserted and evicted all the time.
    var tokens: [String] = []
    for _ in 0..<5 { tokens.append(try authority.withNewLeaf().sign(Sample.transaction())) }
    tokens.append(try authority.sign(Sample.transaction(["bundleId": .string("com.other")])))
    tokens.append(
      try TokenParts(tokens[0]).replacing(signature: [UInt8](repeating: 1, count: 64)))
    tokens.append(
      try authority.sign(Sample.transaction(["signedDate": .integer(4_102_444_800_000)])))
    tokens.append(try TestAuthority.namesake().sign(Sample.transaction()))
    tokens.append("e30.e30.AAAA")
    let expected: [SignedDataFailure?] = [
      nil, nil, nil, nil, nil, .bundleMismatch(found: "com.other"), .signatureInvalid,
      .signedDateInFuture, .chain(.signature(1)), .unsupportedAlgorithm(nil),
    ]

    let mistakes = await withTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask { [tokens] in
          (0..<1_000).count { number in
            // Every task verifies the tokens in another order.
            let index = (number * [1, 3, 7, 9][task % 4] + task) % tokens.count
            return Self.reason(of: tokens[index], by: verifier) != expected[index]
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(mistakes == 0)
    #expect(verifier.cachedHeaders == 3)
  }

  private static func reason(
    of token: String, by verifier: SignedDataVerifier
  ) -> SignedDataFailure? {
    do throws(SignedDataFailure) {
      return try verifier.transaction(token).token == token ? nil : .malformedToken
    } catch {
      return error
    }
  }

  @Test("tasks that meet a cold verifier with one header all succeed")
  func cold() async throws {
    let authority = try TestAuthority()
    let verifier = try authority.pinningVerifier()
    let token = try authority.sign(Sample.transaction())
    let successes = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<64 { group.addTask { Self.reason(of: token, by: verifier) == nil } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(successes == 64)
    #expect(verifier.cachedHeaders == 1)
  }
}
