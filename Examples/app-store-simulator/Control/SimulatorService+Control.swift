import HTTPMessages
import JSONValues
import ReceiptModels
import StoreSimulators
import StorekeeperTesting

// The control requests; see Documentation/guides/app-store-simulator.md.

extension SimulatorService {
  func buy(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    let customer = try body.requiredShortText("customer")
    let product = try body.requiredShortText("product")
    let environment = try body.environment()
    let apps = simulation.configuration.apps
    let terms = try Simulation.Terms(offer: body.offer(), plan: body.plan())
    if let app = apps.first(where: { $0.packs.contains { $0.id == product } }) {
      guard terms.offer == nil else { throw ControlRefusal.invalid("offer") }
      guard terms.plan == nil else { throw ControlRefusal.invalid("plan") }
      return try await answer(
        simulation.buy(
          pack: product, by: customer,
          in: Shop(app: app.bundleID, environment: environment),
          quantity: body.count("quantity", upTo: 1_000_000) ?? 1,
          appAccountToken: body.uuid("appAccountToken")))
    }
    // What nobody sells is refused by the first app.
    let app = apps.first { $0.products.contains { $0.id == product } } ?? apps[0]
    let shop = Shop(app: app.bundleID, environment: environment)
    return try await answer(
      simulation.buy(
        product, by: customer, in: shop, terms, appAccountToken: body.uuid("appAccountToken")))
  }

  func renew(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let held = try await subscription(ControlBody(parsing: call.request.body))
    return try await answer(simulation.renew(held))
  }

  func upgrade(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    let product = try body.requiredShortText("product")
    let held = try await subscription(body)
    return try await answer(simulation.upgrade(held, to: product))
  }

  func refund(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    guard let id = try body.shortText("transactionId") else {
      let held = try await subscription(body)
      return try await answer(simulation.refund(held.newest, of: held))
    }
    if let pack = await simulation.boughtPacks[id] {
      return try await answer(simulation.refund(pack))
    }
    let purchase = try await simulation.purchase(id)
    let held = try await simulation.find(purchase.originalTransactionID)
    return try await answer(simulation.refund(purchase, of: held))
  }

  /// Reverses the refund of a charge.
  func reverseRefund(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let id = try ControlBody(parsing: call.request.body).requiredShortText("transactionId")
    if let pack = await simulation.boughtPacks[id] {
      return try await answer(simulation.reverseRefund(pack))
    }
    let purchase = try await simulation.purchase(id)
    let held = try await simulation.find(purchase.originalTransactionID)
    return try await answer(simulation.reverseRefund(of: purchase, held))
  }

  func lapse(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    let lapse = try body.choice("reason", or: Simulation.Lapse.cancelled)
    let end = try body.choice("when", or: Simulation.End.now)
    let held = try await subscription(body)
    return try await answer(simulation.lapse(held, lapse, at: end))
  }

  func advance(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    let days = try body.count("days", upTo: 3650)
    let seconds = try body.count("seconds", upTo: 3650 * 86_400)
    guard days != nil || seconds != nil else { throw ControlRefusal.invalid("days") }
    let last = play?.newestNumber ?? 0
    let changes = try await simulation.advance(
      by: .days(days ?? 0) + .seconds(seconds ?? 0))
    var deliveries: [JSONValue] = []
    for change in changes { deliveries += await deliver(change) }
    await simulation.askForReports()
    for environment in [AppStoreEnvironment.production, .sandbox] {
      deliveries += await deliverServerAPINotifications(environment)
    }
    var answer: [String: JSONValue] = [
      "now": .string(await simulation.now.text), "notifications": .array(deliveries),
    ]
    if let play {
      answer["playNotifications"] = .array(await push(play, after: last).map(Self.json))
    }
    return .json(answer)
  }

  /// Changes the address or the versions of notifications.
  func setWebhook(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let body = try ControlBody(parsing: call.request.body)
    let url = try body.shortText("url", upTo: 2048)
    if let url, !SimulatorConfiguration.isAddress(url) { throw ControlRefusal.invalid("url") }
    let versions = try await body.choice("versions", or: simulation.versions)
    await simulation.setWebhook(url, versions)
    return .json([
      "webhook": url.map(JSONValue.string) ?? .null, "versions": .string(versions.rawValue),
    ])
  }

  /// Changes the address of the host's desk.
  func setDesk(_ call: ControlCall) async throws -> HTTPResponseMessage {
    let url = try ControlBody(parsing: call.request.body).shortText("url", upTo: 2048)
    if let url, !SimulatorConfiguration.isAddress(url) { throw ControlRefusal.invalid("url") }
    await simulation.setDesk(url)
    return .json(["desk": url.map(JSONValue.string) ?? .null])
  }

  // MARK: Common

  /// Returns the app that a body names, or else the first one, in the body's environment.
  func shop(_ body: ControlBody) throws(ControlRefusal) -> Shop {
    let apps = simulation.configuration.apps
    let name = try body.shortText("app") ?? apps[0].bundleID
    guard let app = apps.first(where: { $0.bundleID.utf8.elementsEqual(name.utf8) }) else {
      throw .invalid("app")
    }
    return Shop(app: app.bundleID, environment: try body.environment())
  }

  /// Returns the subscription that a body names, by its identifier or as the customer's newest.
  func subscription(_ body: ControlBody) async throws -> Simulation.Held {
    if let id = try body.shortText("originalTransactionId") { return try await simulation.find(id) }
    let customer = try body.requiredShortText("customer")
    return try await simulation.find(
      customer: customer, try body.environment(), app: try body.shortText("app"))
  }

  /// Notifies the webhook, then answers with the state after that.
  func answer(_ change: Simulation.Change) async throws -> HTTPResponseMessage {
    let deliveries = await deliver(change)
    let held = try await simulation.find(change.originalTransactionID)
    return .json([
      "subscription": json(held), "notifications": .array(deliveries),
    ])
  }

  /// Notifies the webhook, then answers with the pack.
  func answer(_ pack: BoughtPack) async throws -> HTTPResponseMessage {
    let deliveries = await deliver(
      .event(pack.news), in: pack.shop, customer: pack.purchase.customer)
    return .json(["purchase": try json(pack), "notifications": .array(deliveries)])
  }

  private func deliver(_ change: Simulation.Change) async -> [JSONValue] {
    var delivered: [JSONValue] = []
    for notification in change.notifications {
      delivered += await deliver(
        .event(notification), in: change.shop, customer: change.customer)
    }
    return delivered
  }

  /// Lists a notification, and sends it.
  func deliver(
    _ notification: Delivery.Notification, in shop: Shop, customer: String
  ) async -> [JSONValue] {
    var delivered: [JSONValue] = []
    for number in await simulation.note(notification, in: shop, customer: customer) {
      await deliver(number)
      if let delivery = await simulation.delivery(number) { delivered.append(json(delivery)) }
    }
    return delivered
  }

  /// Sends a recorded notification, if it is to be sent.
  private func deliver(_ number: Int) async {
    guard let delivery = await simulation.delivery(number), let url = delivery.url else { return }
    let courier = Courier(url: url, transport: transport, clock: clock)
    var isAccepted = false
    do {
      isAccepted = await courier.deliver(try delivery.body) { attempt in
        await simulation.change(number) { $0.attempts.append(attempt) }
        guard delivery.version == .v2 else { return }
        await simulation.appStore(delivery.shop).recordAttempt(
          attempt.result, of: delivery.notification.uuid)
      }
    } catch {
      let attempt = Delivery.Attempt(text: "could not be signed")
      await simulation.change(number) { $0.attempts.append(attempt) }
    }
    let state: Delivery.State = isAccepted ? .accepted : .givenUp
    await simulation.change(number) { $0.state = state }
  }
}
