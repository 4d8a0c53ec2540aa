import Foundation
import HTTPMessages
import ReceiptModels
import ReceiptVerifier
import StoreSimulators
import StorekeeperTesting

/// A simulated App Store and a client of it.
struct SimulatorScene {
  static let bundleID = "com.example.reader"
  /// The shared authority, because RSA keys take a while to generate.
  private static let authority = Result { try TestAuthority.forReceipts() }

  let appStore: AppStoreSimulator
  let client: VerifyReceiptClient

  init(
    environment: AppStoreEnvironment = .production, bundleID: String = bundleID,
    _ change: (inout VerifyReceiptClient.Configuration) -> Void = { _ in }
  ) throws {
    appStore = try AppStoreSimulator(
      bundleID: bundleID, environment: environment
    ) { $0.authority = try Self.authority.get() }
    client = try Self.client(of: appStore, change)
  }

  static func client(
    of appStore: AppStoreSimulator, secret: AppSharedSecret? = nil,
    _ change: (inout VerifyReceiptClient.Configuration) -> Void = { _ in }
  ) throws -> VerifyReceiptClient {
    var configuration = VerifyReceiptClient.Configuration()
    configuration.environments = [.production, .sandbox]
    configuration.clock = SleeplessClock()
    change(&configuration)
    return try VerifyReceiptClient(
      transport: appStore, bundleIDs: [bundleID], sharedSecret: secret ?? appStore.sharedSecret,
      configuration: configuration)
  }

  /// Returns Apple's current answer about a purchase.
  func receipt(_ purchase: TestPurchase) async throws -> VerifiedReceipt {
    try await client.verify(base64: purchase.receipt)
  }

  /// Returns the current state of a purchase's subscription.
  func summary(
    _ purchase: TestPurchase, durations: [String: Duration] = [:]
  ) async throws -> SubscriptionSummary? {
    let receipt = try await receipt(purchase)
    return receipt.purchaseHistories
      .first { $0.originalTransactionID == purchase.originalTransactionID }?
      .summary(at: receipt.requestDate, durations: durations)
  }

  func state(_ purchase: TestPurchase) async throws -> SubscriptionState? {
    try await summary(purchase)?.state
  }

  /// Returns the reason why a purchase does not verify now; nil if it does.
  func failure(_ purchase: TestPurchase) async throws -> VerifyReceiptFailure? {
    do {
      _ = try await receipt(purchase)
      return nil
    } catch let failure as VerifyReceiptFailure {
      return failure.withoutAnswer
    }
  }

  /// Moves the clock.
  func pass(_ days: Int) {
    appStore.clock.advance(by: .days(days))
  }

  /// Returns the date after this number of days.
  func date(inDays days: Int) -> Date {
    appStore.now.addingTimeInterval(Double(days) * 86_400)
  }
}
