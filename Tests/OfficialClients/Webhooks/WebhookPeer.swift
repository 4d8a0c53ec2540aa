import Foundation
import HTTPMessages
import InMemoryStorage
import JSONValues
import PurchaseStorage
import ReceiptModels
import Storekeeper

/// The other side of the official library of Standard Webhooks, for `Tests/OfficialClients/webhooks.py`.
///
/// It prints a webhook that a `WebhookSender` sends with the keys of its arguments, as one line of JSON, and the public
/// part of each key that has one. Then it verifies the webhooks that it reads, one a line, and prints the outcome of each.
@main
enum WebhookPeer {
  static func main() async throws {
    let texts = Array(CommandLine.arguments.dropFirst())
    let keys = try texts.map { try WebhookSigningKey($0) }
    let shop = PurchaseContext(store: InMemoryPurchaseStore(), accounts: UnlistedAccounts())
      .recordingEvents()
    let endpoint = try WebhookEndpoint("peer", url: "https://example.org/", keys: keys)
    let sender = WebhookSender(shop, to: endpoint, transport: PrintingTransport())
    _ = try await sender.deliverDue()
    try await shop.store.write {
      try await $0.notifications.keep(
        KeptNotification(
          key: "v2:é", environment: .production, signedPayload: "e30", path: "data",
          receivedDate: Date()))
    }
    guard try await sender.deliverDue().delivered == 1 else { return say("not delivered") }
    let publicKeys = keys.compactMap(\.publicKey)
    say(line(["publicKeys": .array(publicKeys.map { .string($0) })]))
    let secrets = texts.filter { $0.hasPrefix("whsec_") }
    let verifier = try WebhookVerifier(keys: secrets + publicKeys)
    while let text = readLine() {
      let request = try JSONValue(parsing: Array(text.utf8))
      guard case .string(let body)? = request["body"],
        case .object(let fields)? = request["headers"]
      else { return say("not a request") }
      var headers: HTTPHeaders = [:]
      for case (let name, .string(let value)) in fields {
        try headers.set(value, for: try HTTPHeaderName(name))
      }
      do throws(WebhookFailure) {
        try verifier.verify(body: Array(body.utf8), headers: headers, at: Date())
        say("right")
      } catch {
        say("\(error)")
      }
    }
  }

  /// Prints a line at once, as the reader waits for it.
  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  static func line(_ members: [String: JSONValue]) -> String {
    String(decoding: JSONValue.object(members).serialized, as: UTF8.self)
  }
}

/// A receiver that prints what it gets, and takes it.
private struct PrintingTransport: HTTPTransport {
  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    let headers = request.headers.map { ($0.name.description, JSONValue.string($0.value)) }
    WebhookPeer.say(
      WebhookPeer.line([
        "headers": .object(Dictionary(headers) { $1 }),
        "body": .string(String(decoding: request.body, as: UTF8.self)),
      ]))
    return HTTPResponseMessage(status: .noContent)
  }
}
