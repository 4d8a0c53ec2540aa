import HTTPMessages
import JSONValues
import ReceiptModels
import StoreSimulators

// The orders about offers, prices, and purchases that somebody else paid for; see
// Documentation/guides/app-store-simulator.md.

extension SimulatorService {
  func share(_ call: ControlCall) async throws -> HTTPResponseMessage {
    try await give(call, by: .share)
  }

  func assign(_ call: ControlCall) async throws -> HTTPResponseMessage {
    try await give(call, by: .assign)
  }

  private func give(
    _ call: ControlCall, by gift: Simulation.Gift
  ) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    let holder = try body.requiredShortText("member")
    if let pack = try await pack(body) {
      return try await answer(simulation.give(pack, to: holder, by: gift))
    }
    let (held, _) = try await charge(body)
    return try await answer(simulation.give(held, to: holder, by: gift))
  }

  /// Takes back a purchase that is shared or assigned.
  func revoke(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    if let pack = try await pack(body) { return try await answer(simulation.revoke(pack)) }
    let (held, _) = try await charge(body)
    return try await answer(simulation.revoke(held))
  }

  func increasePrice(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    let consent = try body.choice("consent", or: Simulation.PriceConsent.asked)
    return try await answer(simulation.increasePrice(of: subscription(body), consent))
  }

  /// Redeems an offer for a subscription that runs.
  func redeem(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    guard let offer = try body.offer() else { throw ControlRefusal.invalid("offer") }
    return try await answer(simulation.redeem(offer, for: subscription(body)))
  }

  /// Makes a token for an external purchase.
  func createExternalPurchaseToken(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    let type = try body.shortText("type").map { ExternalPurchaseTokenType(rawValue: $0) }
    guard type?.isKnown ?? true else { throw ControlRefusal.invalid("type") }
    let shop = try shop(body)
    // The clock follows the machine's.
    _ = await simulation.now
    let sent = await simulation.appStore(shop).createExternalPurchaseToken(type)
    return .json([
      "externalPurchaseId": .string(sent.externalPurchaseID ?? ""),
      "notifications": .array(await deliverServerAPINotifications(shop.environment)),
    ])
  }
}

extension ControlBody {
  /// Returns the offer that a body names, or nil if it names none.
  func offer() throws(ControlRefusal) -> TestOffer? {
    guard let kind: OfferKind = try choice("offer") else { return nil }
    switch kind {
    case .trial: return .trial
    case .introductory: return .introductory
    case .promotional: return .promotional(try requiredShortText("offerId"))
    case .code: return .code(try requiredShortText("offerId"))
    case .winBack: return .winBack(try requiredShortText("offerId"))
    }
  }

  /// Returns the billing plan that a body names, or nil if it names none.
  func plan() throws(ControlRefusal) -> BillingPlanType? {
    guard let plan = try shortText("plan").map({ BillingPlanType(rawValue: $0) }) else {
      return nil
    }
    guard plan.isKnown else { throw .invalid("plan") }
    return plan
  }
}

private enum OfferKind: String, CaseIterable {
  case trial, introductory, promotional, code, winBack
}
