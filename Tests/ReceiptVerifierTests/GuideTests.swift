import Foundation
import HTTPMessages
import ReceiptModels
import ReceiptVerifier
import StoreSimulators
import StorekeeperTesting
import Testing

/// The code of `Documentation/guides/verifying-receipts.md`, with a simulated App Store instead of
/// Apple's.
@Suite("The guide to receipts")
struct GuideTests {
  private let appStore: AppStoreSimulator
  private let purchase: TestPurchase
  private let text: String

  init() throws {
    appStore = try AppStoreSimulator(bundleID: "com.example.reader") {
      $0.authority = try ReceiptScene.authority
    }
    purchase = try appStore.buy("reader.monthly")
    text = try purchase.receipt
  }

  private func verifier() throws -> AppReceiptVerifier {
    let now = appStore.now
    return try AppReceiptVerifier(
      bundleIDs: ["com.example.reader"], trustAnchors: [appStore.authority.trustAnchor],
      now: { now })
  }

  @Test("offline, without asking Apple")
  func offline() throws {
    let receipt = try verifier().verify(base64: text)
    let end = appStore.now.addingTimeInterval(30 * 86_400)
    #expect(receipt.environment == .production)
    let active = try #require(receipt.subscriptions(at: appStore.now).first)
    #expect(active.state == .active(until: end))
    let ended = try #require(receipt.subscriptions(at: end).first)
    #expect(ended.state == .expired(.unknown))
    #expect(ended.knowledge == .local)
  }

  @Test("tied to a device")
  func device() throws {
    let deviceIdentifier = [UInt8](0..<16)
    let bytes = try appStore.authority.sign(
      purchase.receiptContent, deviceIdentifier: deviceIdentifier)
    let expectation = ReceiptExpectation(deviceIdentifier: deviceIdentifier)
    #expect(throws: Never.self) {
      try verifier().verify(der: bytes, expecting: expectation)
    }
    #expect(throws: ReceiptFailure.hashMismatch) {
      try verifier().verify(base64: text, expecting: expectation)
    }
  }

  private func answer(to text: String) async throws -> String {
    var configuration = VerifyReceiptClient.Configuration()
    configuration.clock = ImmediateClock()
    let client = try VerifyReceiptClient(
      transport: appStore, bundleIDs: ["com.example.reader"],
      sharedSecret: appStore.sharedSecret, configuration: configuration)
    do {
      let receipt = try await client.verify(base64: text)
      let subscription = receipt.subscriptions(at: receipt.requestDate).first
      return subscription?.isEntitled == true ? "entitled" : "not entitled"
    } catch VerifyReceiptFailure.refused(let refusal, _) {
      return refusal.permitsRevocation ? "revoke" : "refuse this request"
    } catch VerifyReceiptFailure.transient(let failure, _) {
      return failure.isRetryable ? "keep, and try later" : "keep, and call an operator"
    }
  }

  @Test("asking Apple")
  func asking() async throws {
    #expect(try await answer(to: text) == "entitled")
    try appStore.refund(purchase)
    #expect(try await answer(to: text) == "not entitled")
    appStore.fail(next: 3, with: .httpStatus(.serviceUnavailable))
    #expect(try await answer(to: text) == "keep, and try later")
    appStore.fail(with: .status(.sharedSecretMismatch))
    #expect(try await answer(to: text) == "keep, and call an operator")
    appStore.fail(with: .status(.notAuthenticated))
    #expect(try await answer(to: text) == "revoke")
    #expect(try await answer(to: "eyJhbGciOiJFUzI1NiJ9.e30.AA") == "refuse this request")
  }

  @Test("the state of a subscription, from signed transactions")
  func states() throws {
    var transaction = Transaction()
    transaction.transactionID = "2"
    transaction.originalTransactionID = "1"
    transaction.productID = "reader.monthly"
    transaction.expiresDate = appStore.now.addingTimeInterval(-1)
    var renewal = RenewalInfo()
    renewal.originalTransactionID = "1"
    renewal.gracePeriodExpiresDate = appStore.now.addingTimeInterval(86_400)
    let history = PurchaseHistory.histories(
      of: [transaction], renewals: [renewal], knowledge: .notification
    ).first
    let summary = history?.summary(at: appStore.now)
    #expect(summary?.state == .inGracePeriod(until: appStore.now.addingTimeInterval(86_400)))
    #expect(summary?.isEntitled == true)
  }

  @Test("moving on to StoreKit 2")
  func transactionID() throws {
    #expect(try verifier().verify(base64: text).transactionID == purchase.originalTransactionID)
  }
}

/// A clock on which every pause ends at once.
private struct ImmediateClock: Clock {
  typealias Instant = ContinuousClock.Instant
  var now: Instant { ContinuousClock.now }
  var minimumResolution: Duration { .zero }

  /// Deadlines are distinguished from pauses by their length.
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    guard deadline > now.advanced(by: .seconds(10)) else { return }
    try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
  }
}
