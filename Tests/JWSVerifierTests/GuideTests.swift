import Foundation
import HTTPMessages
import JWSVerifier
import ReceiptModels
import StorekeeperTesting
import Testing

/// The code of `Documentation/guides/verifying-signed-data.md`, with a test authority instead of Apple's.
@Suite("The guide to signed data")
struct GuideTests {
  let authority: TestAuthority
  let verifier: SignedDataVerifier
  let purchase: Transaction

  init() throws {
    authority = try TestAuthority()
    verifier = try SignedDataVerifier(
      apps: [App(bundleID: "com.example.reader", appAppleID: 1_234_567_890)],
      environments: [.production, .sandbox],
      trustAnchors: [authority.trustAnchor])
    var purchase = Transaction()
    purchase.bundleID = "com.example.reader"
    purchase.productID = "reader.monthly"
    purchase.environment = .sandbox
    self.purchase = purchase
  }

  @Test("a transaction from a client")
  func transaction() throws {
    let signedTransactionInfo = try authority.sign(purchase)
    let transaction = try verifier.transaction(signedTransactionInfo)
    #expect(transaction.environment == .sandbox)
    #expect(transaction.payload == purchase)
  }

  @Test("a notification from Apple")
  func notification() throws {
    var data = NotificationData()
    data.bundleID = "com.example.reader"
    data.environment = .sandbox
    data.signedTransactionInfo = try authority.sign(purchase)
    var body = ServerNotification()
    body.notificationType = .didRenew
    body.data = data
    let signedPayload = try authority.sign(body)
    let notification = try verifier.notification(signedPayload)
    #expect(notification.payload.notification.notificationType == .didRenew)
    #expect(notification.payload.transaction?.payload.productID == "reader.monthly")
  }

  @Test("many at once")
  func batch() throws {
    var info = RenewalInfo()
    info.environment = .sandbox
    let tokens = [try authority.sign(info), "not a token"]
    let renewalInfos = verifier.verify(tokens, as: .renewalInfo)
    #expect(renewalInfos.map { try? $0.get().payload } == [info, nil])
    #expect(
      try verifier.verify([authority.sign(purchase)]).map { try $0.get().payload } == [purchase])
  }

  @Test("whether a certificate was revoked")
  func revocation() async throws {
    let transport: any HTTPTransport = try authority.revocationResponder(now: { Date() })
    let apps = verifier.apps
    let signedTransactionInfo = try authority.sign(purchase)
    let checker = RevocationChecker(
      transport: transport, clock: ManualClock(), now: { Date() })
    let verifier = try SignedDataVerifier(
      apps: apps, environments: .auto, trustAnchors: [authority.trustAnchor],
      revocationChecker: checker)

    let verified = try verifier.transaction(signedTransactionInfo)
    let checked = try await verifier.checkingRevocation(of: verified)
    // This authority's certificates name no responder.
    #expect(
      checked.revocation
        == .notChecked([
          UncheckedCertificate(index: 0, reason: .noResponder),
          UncheckedCertificate(index: 1, reason: .noResponder),
        ]))
  }

  @Test("testing your own code")
  func refusal() throws {
    let authority = try authority.withNewLeaf { $0.leaf.markers = [] }
    let token = try authority.sign(purchase)
    #expect(throws: SignedDataFailure.chain(.missingLeafMarker)) { try verifier.transaction(token) }
  }
}
