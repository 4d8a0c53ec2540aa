import Foundation
import JWSVerifier
import ReceiptModels
import StoreSimulators

/// The page `verifying-signed-data.md`, whose code is run.
struct VerifyingSignedDataPage: Page {
  let trustAnchors = SimulatedAppStore.trustAnchors
  let time: @Sendable () -> Date = { Date() }
  let verifier: SignedDataVerifier
  let signedTransactionInfo: String
  let signedPayload: String
  let tokens: [String]
  var purchase = Transaction()

  static func run() async throws {
    let reader = try SimulatedAppStore("com.example.reader")
    let purchase = try reader.appStore.buy("reader.monthly")
    let page = VerifyingSignedDataPage(
      verifier: try reader.verifier,
      signedTransactionInfo: try purchase.signedTransactionInfo,
      signedPayload: try purchase.notification.signedPayload,
      tokens: [try purchase.signedTransactionInfo, "a.b.c"])
    try await page.aTransactionFromAClient()
    try await page.aNotificationFromApple()
    try await page.manyAtOnce()
    try await page.testingYourCode()
  }
}
