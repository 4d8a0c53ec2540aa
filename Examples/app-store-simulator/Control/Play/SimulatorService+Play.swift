import Foundation
import HTTPMessages
import JSONValues
import StoreSimulators

// The answers of Google's servers, and the orders about purchases; see
// Documentation/guides/app-store-simulator.md.

extension SimulatorService {
  var playDesk: PlayDesk {
    get throws(ControlRefusal) {
      guard let play else { throw .unknownRoute }
      return play
    }
  }

  /// The key file of the service account for the Play store, in JSON; nil without a Play store.
  public func serviceAccountKeyFile(address: String) -> [UInt8]? {
    guard let play else { return nil }
    var account = play.store.serviceAccount
    account.tokenURI = address + "/token"
    // A request for an access token names the address to which it is sent.
    play.store.tokenURI = account.tokenURI
    return account.keyFile
  }

  /// Answers as one of Google's hosts, and pushes what the request caused.
  func playServer(_ call: ControlCall, _ address: PlayAddress) async throws -> HTTPResponseMessage {
    let play = try playDesk
    // The clock follows the machine's.
    _ = await simulation.now
    var request = call.request
    request.url = address.url
    // Nobody waits longer; without a limit an answer that never comes would never end.
    request.timeout = .seconds(600)
    do {
      let response = try await play.store.send(request)
      let service = self
      // Google does not wait for the server, which may be the one that asks.
      Task { await service.push(play) }
      return response
    } catch let failure as HTTPTransportFailure {
      // A server cannot break off its own answer; this is what a proxy makes of that.
      return HTTPResponseMessage(
        status: failure.reason == .timedOut ? 504 : 502,
        body: Array("<html><body>Bad Gateway</body></html>".utf8))
    }
  }

  // MARK: Selling

  func subscribe(_ play: PlayDesk, _ body: ControlBody) async throws -> HTTPResponseMessage {
    let (product, customer) = try (
      body.requiredShortText("product"), body.requiredShortText("customer")
    )
    let (plan, terms) = try (body.shortText("basePlan"), body.playTerms())
    return try await answer(play) { () throws(PlayStoreFailure) in
      try play.store.subscribe(product, basePlan: plan, by: customer, terms)
    }
  }

  func buy(_ play: PlayDesk, _ body: ControlBody) async throws -> HTTPResponseMessage {
    let (product, customer) = try (
      body.requiredShortText("product"), body.requiredShortText("customer")
    )
    let quantity = try body.count("quantity", upTo: 1_000_000) ?? 1
    var terms = try body.playTerms()
    if let days = try body.count("preorderDays", upTo: 3650) {
      let released = play.store.now.addingTimeInterval(Double(days) * 86_400)
      terms.purchaseOption = .preorder(release: released)
    } else if try body.choice("option", or: SoldAs.buy) == .rent {
      terms.purchaseOption = .rent
    }
    return try await answer(play) { [terms] () throws(PlayStoreFailure) in
      try play.store.buy(product, quantity: quantity, by: customer, terms)
    }
  }

  func changePlan(_ play: PlayDesk, _ body: ControlBody) async throws -> HTTPResponseMessage {
    let purchase = try purchase(play, body)
    let (product, plan) = try (body.requiredShortText("product"), body.shortText("basePlan"))
    let mode = try body.choice("mode", or: PlayReplacementMode.chargeFullPrice)
    return try await answer(play) { () throws(PlayStoreFailure) in
      try play.store.changePlan(of: purchase, to: product, basePlan: plan, mode: mode)
    }
  }

  func refund(_ play: PlayDesk, _ body: ControlBody) async throws -> HTTPResponseMessage {
    let purchase = try purchase(play, body)
    let source = try body.code("source", or: PlayVoidedSource.developer)
    let reason = try body.code("reason", or: PlayVoidedReason.other)
    let (order, quantity) = try (body.shortText("order"), body.count("quantity", upTo: 1_000_000))
    let access = try body.choice("access", or: PlayStoreSimulator.RefundedAccess.revoked)
    return try await answer(play) { () throws(PlayStoreFailure) in
      if let quantity {
        return try play.store.refund(
          purchase, quantity: quantity, source: source, reason: reason)
      }
      return try play.store.refund(
        purchase, order: order, access: access, source: source, reason: reason)
    }
  }

  /// Sends a notification of any type about a purchase.
  func notify(_ play: PlayDesk, _ body: ControlBody) async throws -> HTTPResponseMessage {
    let purchase = try purchase(play, body)
    guard let type = try body.count("type", upTo: 1000) else {
      throw ControlRefusal.invalid("type")
    }
    return try await answer(play) { () throws(PlayStoreFailure) in
      try play.store.notify(PlaySubscriptionNotificationType(rawValue: type), about: purchase)
    }
  }

  /// Carries out an order about one purchase.
  func act(_ act: PlayAct, _ play: PlayDesk, _ body: ControlBody) async throws
    -> HTTPResponseMessage
  {
    let purchase = try purchase(play, body)
    let details = try PlayActDetails(body)
    return try await answer(play) { () throws(PlayStoreFailure) in
      try details.carryOut(act, purchase, play.store)
    }
  }

  // MARK: Common

  /// Returns the purchase that a body names, by its token or as the customer's newest.
  func purchase(_ play: PlayDesk, _ body: ControlBody) throws -> TestPlayPurchase {
    if let token = try body.shortText("purchaseToken", upTo: 1000) {
      return try refusingPlay { () throws(PlayStoreFailure) in try play.store.purchase(token) }
    }
    let customer = try body.requiredShortText("customer")
    guard let purchase = play.store.newestPurchase(of: customer) else {
      throw ControlRefusal.play(.unknownPurchase)
    }
    return purchase
  }

  /// Carries out an order, pushes its notifications, and answers with the state after that.
  private func answer(
    _ play: PlayDesk, _ order: () throws(PlayStoreFailure) -> TestPlayPurchase
  ) async throws -> HTTPResponseMessage {
    let last = play.newestNumber
    let purchase = try refusingPlay(order)
    let delivered = await push(play, after: last)
    // The server may have acknowledged the purchase since.
    let after = try refusingPlay { () throws(PlayStoreFailure) in
      try play.store.purchase(purchase.purchaseToken)
    }
    return .json([
      "purchase": Self.json(after), "notifications": .array(delivered.map(Self.json)),
    ])
  }
}

/// A way in which a one-time product is sold now.
private enum SoldAs: String, CaseIterable {
  case buy, rent
}

extension ControlBody {
  /// Returns the circumstances of a purchase.
  fileprivate func playTerms() throws(ControlRefusal) -> PlayTerms {
    PlayTerms(
      offer: try shortText("offer"), obfuscatedAccountID: try shortText("account"),
      obfuscatedProfileID: try shortText("profile"),
      buyer: try choice("buyer", or: PlayTerms.Buyer.customer),
      payment: try choice("payment", or: PlayTerms.Payment.immediate),
      regionCode: try shortText("region") ?? "US")
  }

  /// Returns one of Google's numbers, or the preset if it is missing.
  fileprivate func code<Code: RawRepresentable<Int>>(
    _ name: String, or preset: Code
  ) throws(ControlRefusal) -> Code {
    guard let number = try integer(name) else { return preset }
    guard let code = Code(rawValue: number) else { throw .invalid(name) }
    return code
  }
}
