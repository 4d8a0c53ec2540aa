import JWSVerifier
import JSONValues
import ReceiptModels
import StorekeeperTesting
import Testing

@Suite("Payloads given to the call for another kind")
struct PayloadKindTests {
  let authority: TestAuthority
  let verifier: SignedDataVerifier

  init() throws {
    authority = try TestAuthority()
    verifier = try SignedDataVerifier(
      apps: [Sample.app], environments: .auto, trustAnchors: [authority.trustAnchor])
  }

  @Test("a transaction is no renewal info, though it has the same fields")
  func transactionAsRenewalInfo() throws {
    let token = try authority.sign(Sample.transaction([:]))
    let failure = #expect(throws: SignedDataFailure.self) { try verifier.renewalInfo(token) }
    guard case .fieldType(let fault, _) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(
      fault == FieldTypeFailure(path: "transactionId", expected: .absent, found: .string))
  }

  @Test("a renewal info with a member that Apple may add stays one")
  func extendedRenewalInfo() throws {
    let token = try authority.sign(
      Sample.renewalInfo(["transactionId": .string("1"), "autoRenewStatus": .integer(1)]))
    #expect(try verifier.renewalInfo(token).payload.autoRenewStatus == .on)
  }

  @Test("only what may change is worth another try")
  func retryable() {
    #expect(SignedDataFailure.onlineCheckFailed(.timeBudgetSpent).isRetryable)
    #expect(!SignedDataFailure.onlineCheckFailed(.noResponder).isRetryable)
  }
}
