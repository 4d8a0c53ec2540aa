import HTTPMessages
import JSONValues
import ReceiptModels
public import StoreSimulators

// The orders about what the server APIs answer; see Documentation/guides/app-store-simulator.md.

extension SimulatorService {
  /// The key with which requests to the server APIs are signed, for both environments.
  public var serverAPIKey: TestServerAPIKey { simulation.serverAPIKey }

  /// The private key of ``serverAPIKey`` in PEM, as in a `.p8` file.
  public var serverAPIKeyPEM: String { simulation.serverAPIKey.pem }

  func requestRefund(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    let reason = try body.shortText("reason").map { ConsumptionRequestReason(rawValue: $0) }
    guard ConsumptionRequestReason.allCases.contains(reason ?? .other) else {
      throw ControlRefusal.invalid("reason")
    }
    if let pack = try await pack(body) {
      return try await answer(
        simulation.requestRefund(pack, reason: reason ?? .unintendedPurchase))
    }
    let (held, purchase) = try await charge(body)
    return try await answer(
      simulation.requestRefund(purchase, of: held, reason: reason ?? .unintendedPurchase))
  }

  func decideRefund(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    let otherwise = try body.decision()
    if let pack = try await pack(body) {
      return try await answer(simulation.decideRefund(pack, otherwise: otherwise))
    }
    let (held, purchase) = try await charge(body)
    return try await answer(simulation.decideRefund(purchase, of: held, otherwise: otherwise))
  }

  func extend(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    guard let days = try body.count("days", upTo: 90) else { throw ControlRefusal.invalid("days") }
    let (held, _) = try await charge(body)
    return try await answer(simulation.extend(held, byDays: days))
  }

  /// Sends a test notification to the webhook.
  func sendTest(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let shop = try shop(ControlBody(parsing: call.request.body))
    guard await simulation.appStore(shop).requestTestNotification() != nil else {
      throw ControlRefusal.noWebhook
    }
    return .json([
      "notifications": .array(await deliverServerAPINotifications(shop.environment))
    ])
  }

  /// Loses the next notifications on their way.
  func lose(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    let count = try body.count("count", upTo: 1000) ?? 1
    await simulation.appStore(try shop(body)).loseNotifications(next: count)
    return .json(["count": .integer(count)])
  }

  /// Reviews the images and messages that wait for it, as Apple does in Production.
  func reviewMessages(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    let decision = try body.choice("decision", or: AppStoreSimulator.MessageReview.approved)
    await simulation.appStore(try shop(body)).reviewMessages(decision)
    return .json(["decision": .string(decision.rawValue)])
  }

  /// Makes Apple unreachable for everybody, or reachable again.
  func away(_ call: ControlCall) async throws -> HTTPResponseMessage {
    guard let isAway = try ControlBody(parsing: call.request.body).flag("away") else {
      throw ControlRefusal.invalid("away")
    }
    await simulation.setAway(isAway)
    return .json(["away": .boolean(isAway)])
  }

  /// Makes the next requests to the server APIs fail.
  func fault(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    let count = try body.count("count", upTo: 1000) ?? 1
    let fault = try ServerAPIFaultOrder(body).fault
    await simulation.appStore(try shop(body)).failServerAPI(
      next: count, with: fault, at: try body.shortText("at"))
    return .json(["count": .integer(count)])
  }

  /// Sends the notifications that requests to the server APIs caused.
  @discardableResult
  func deliverServerAPINotifications(_ environment: AppStoreEnvironment) async -> [JSONValue] {
    var delivered: [JSONValue] = []
    for shop in await simulation.shops(environment) {
      for sent in await simulation.takeSentNotifications(shop) {
        delivered += await deliver(.answer(sent), in: shop, customer: sent.customer ?? "")
      }
    }
    return delivered
  }

  /// Returns the pack that a body names, or nil if it names none.
  func pack(_ body: ControlBody) async throws -> BoughtPack? {
    guard let id = try body.shortText("transactionId") else { return nil }
    return await simulation.boughtPacks[id]
  }

  /// Returns the charge that a body names, or the newest of the subscription that it names.
  func charge(_ body: ControlBody) async throws -> (Simulation.Held, TestPurchase) {
    guard let id = try body.shortText("transactionId") else {
      let held = try await subscription(body)
      return (held, held.newest)
    }
    let purchase = try await simulation.purchase(id)
    return (try await simulation.find(purchase.originalTransactionID), purchase)
  }
}

extension ControlBody {
  /// The decision about a refund if the server sends no preference.
  fileprivate func decision() throws(ControlRefusal) -> AppStoreSimulator.RefundDecision {
    switch try choice("otherwise", or: DecisionName.full) {
    case .full: return .full
    case .decline: return .decline
    case .prorated:
      guard let percent = try count("percent", upTo: 99) else { throw .invalid("percent") }
      return .prorated(percent * 1000)
    }
  }
}

private enum DecisionName: String, CaseIterable {
  case full, decline, prorated
}

/// The fault that an order names.
private struct ServerAPIFaultOrder {
  let fault: AppStoreSimulator.ServerAPIFault

  private enum Name: String, CaseIterable {
    case tooManyRequests, error, status, html, empty, null, brokenJSON, unauthenticated
    case repeatedPage, missingRevision, badSignature
  }

  init(_ body: ControlBody) throws(ControlRefusal) {
    guard let text = try body.shortText("fault"), let name = Name(rawValue: text) else {
      throw .invalid("fault")
    }
    let status = try body.count("status", upTo: 599)
    fault =
      switch name {
      case .tooManyRequests: .tooManyRequests(retryAfter: try body.shortText("retryAfter"))
      case .error: .error(try Self.code(body))
      case .status: .answer(HTTPStatusCode(status ?? 503), .empty)
      case .html: .answer(HTTPStatusCode(status ?? 200), .html)
      case .empty: .answer(HTTPStatusCode(status ?? 200), .empty)
      case .null: .answer(HTTPStatusCode(status ?? 200), .null)
      case .brokenJSON: .brokenJSON
      case .unauthenticated: .unauthenticated
      case .repeatedPage: .repeatedPage
      case .missingRevision: .missingRevision
      case .badSignature: .badSignature(0)
      }
  }

  private static func code(_ body: ControlBody) throws(ControlRefusal) -> Int {
    guard let code = try body.count("code", upTo: 5_999_999), code >= 4_000_000 else {
      throw .invalid("code")
    }
    return code
  }
}
