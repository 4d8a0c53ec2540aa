import InMemoryStorage
import LinkPolicy
import Foundation
import HTTPMessages
import JWSVerifier
import ReceiptModels
import StoreSimulators
import Storekeeper
import StorekeeperMicroHTTPServer
import StorekeeperTesting
import PurchaseStorage

/// A server that records StoreKit 2 transactions, and answers "is she a member?".
///
/// `POST /members/alice` with a signed transaction as its body links the transaction with Alice;
/// `GET /members/alice` answers `yes` or `no`. Who may ask is for the host to check.
struct MemberServer: Sendable {
  let verifier: SignedDataVerifier
  let subscriptions: SubscriptionService
  let now: @Sendable () -> Date

  func respond(to request: HTTPRequestMessage) async -> HTTPResponseMessage {
    let path = request.url.split(separator: "/").map(String.init)
    guard path.count == 2, path[0] == "members", let account = try? AccountID(path[1]) else {
      return HTTPResponseMessage(status: .notFound)
    }
    do {
      if request.method == .post {
        let token = String(decoding: request.body, as: UTF8.self)
        _ = try await subscriptions.link(account, to: verifier.transaction(token))
      }
      let membership = try await subscriptions.membership(of: account)
      return text(membership?.grantsAccess(at: now()) == true ? "yes" : "no")
    } catch {
      return text("\(error)", status: .unprocessableContent)
    }
  }

  private func text(_ text: String, status: HTTPStatusCode = .ok) -> HTTPResponseMessage {
    HTTPResponseMessage(status: status, body: Array("\(text)\n".utf8))
  }
}

@main
enum Embedding {
  static func main() async throws {
    // A simulated App Store signs the purchases of this trial. For Apple's, leave out the trust anchor
    // and `now`.
    let appStore = try AppStoreSimulator(bundleID: "com.example.reader") { $0.start = Date() }
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: "com.example.reader", appAppleID: appStore.appAppleID)],
      environments: [.production], trustAnchors: [appStore.signedDataAuthority.trustAnchor],
      now: { appStore.now })
    let shop = PurchaseContext(
      store: InMemoryPurchaseStore(),  // or try await SQLiteStore(path: "purchases.sqlite")
      accounts: InMemoryAccountDirectory([Account(id: "alice"), Account(id: "bob")]),
      verifier: verifier, now: { appStore.now })
    let subscriptions = try SubscriptionService(
      shop, products: ["reader.monthly": Plan("standard", every: .month)])
    let members = MemberServer(
      verifier: verifier, subscriptions: subscriptions, now: { appStore.now })

    let server = try HTTPServer(ServerConfiguration()) { await members.respond(to: $0) }
    let purchase = try appStore.buy("reader.monthly")
    print("listening on http://127.0.0.1:\(server.port)")
    print("a signed transaction to send: \(try purchase.signedTransactionInfo)")
    fflush(nil)
    await StopSignal.wait()
    await server.stop()
  }
}
