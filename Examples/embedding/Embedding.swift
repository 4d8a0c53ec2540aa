import JWSVerifier
import ReceiptModels
import StorekeeperTesting

/// What a server does with a transaction that its app sent.
struct PurchaseEndpoint: Sendable {
  let verifier: SignedDataVerifier

  func answer(to signedTransactionInfo: String) -> String {
    do throws(SignedDataFailure) {
      let transaction = try verifier.transaction(signedTransactionInfo)
      let product = transaction.payload.productID ?? "nothing"
      // Testers and App Review pay nothing in the Sandbox; what that grants is up to you.
      let isPaid = transaction.environment == .production
      return isPaid ? "200 grant \(product)" : "200 a test purchase of \(product)"
    } catch {
      return "\(error.isRetryable ? 503 : 400) \(error.name): \(error)"
    }
  }
}

@main
enum Embedding {
  static func main() throws {
    // With Apple, leave out the trust anchor: Apple's root is built in. For a try, be Apple.
    let apple = try TestAuthority()
    let endpoint = PurchaseEndpoint(
      verifier: try SignedDataVerifier(
        apps: [App(bundleID: "com.example.reader", appAppleID: 1_234_567_890)],
        environments: [.production, .sandbox], trustAnchors: [apple.trustAnchor]))

    var purchase = Transaction()
    purchase.bundleID = "com.example.reader"
    purchase.productID = "reader.monthly"
    purchase.environment = .production
    print(endpoint.answer(to: try apple.sign(purchase)))
    print(endpoint.answer(to: try TestAuthority().sign(purchase)))
  }
}
