import Foundation
import HTTPMessages
import ReceiptModels
import ReceiptVerifier
import StoreSimulators

/// The page `verifying-receipts.md`, whose code is run, but for the one that trusts Apple's root.
struct VerifyingReceiptsPage: Page {
  let text: String
  let now = Date()
  let transport: any HTTPTransport
  let secret = "0123456789abcdef0123456789abcdef"
  let transactions: [Transaction]
  let renewals: [RenewalInfo]

  static func run() async throws {
    let reader = try SimulatedAppStore("com.example.reader")
    let purchase = try reader.appStore.buy("reader.monthly", by: "alice")
    let page = VerifyingReceiptsPage(
      text: try purchase.receipt, transport: reader.appStore,
      transactions: [purchase.notification.transaction],
      renewals: [purchase.notification.renewalInfo].compactMap(\.self))
    expect(try await page.askingApple() == "entitled")
    _ = try reader.appStore.refund(purchase)
    expect(try await page.askingApple() == "not entitled")
    try await page.theStateOfASubscription()
  }
}
