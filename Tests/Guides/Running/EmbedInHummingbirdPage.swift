import CreditPolicy
import Foundation
import HTTPMessages
import InMemoryStorage
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import Storekeeper
import StorekeeperHTTP

/// The part of the guides to frameworks that needs none: the user of a session as the caller.
struct EmbedInHummingbirdPage: Page {
  static func run() async throws {
    let gems = try SimulatedAppStore("com.example.gems", products: [])
    let users = Users { id in id == "ann" ? User(id: id, email: "ann@example.com") : nil }
    expect(try await users.account("ann") == Account(id: "ann"))
    expect(try await users.account("bob") == nil)
    expect(try await users.emailAddress(of: "ann") == "ann@example.com")
    var options = APIOptions()
    options.requestID = { CurrentRequest.id ?? RequestID.random() }
    let api = CreditAPI(
      try CreditService(
        PurchaseContext(
          store: InMemoryPurchaseStore(), accounts: users, verifier: try gems.verifier),
        products: try CreditProducts([])),
      users: SessionUsers(), options: options)
    let request = HTTPRequestMessage(
      method: .get, url: "/api/v1/credits/balance", headers: [.authorization: "Bearer session"])

    let stranger = await api.respond(to: request)
    expect(stranger.status == .unauthorized)
    let answer = await CurrentRequest.$userID.withValue("ann") {
      await CurrentRequest.$id.withValue("0f3a") { await api.respond(to: request) }
    }
    expect(answer.status == .ok)
    expect(answer.headers["X-Request-Id"] == "0f3a")
  }
}
