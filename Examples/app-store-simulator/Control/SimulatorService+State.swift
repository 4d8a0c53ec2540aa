import HTTPMessages
import JSONValues
import ReceiptModels
import StoreSimulators

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The state as JSON.

extension SimulatorService {
  func state() async -> HTTPResponseMessage {
    let held = await simulation.subscriptions
    let packs = await simulation.newestPacks
    let configuration = simulation.configuration
    return .json([
      "now": .string(await simulation.now.text),
      "isAhead": .boolean(await simulation.isAhead),
      "bundleId": .string(configuration.bundleID),
      "appAppleId": .integer(configuration.appAppleID),
      "apps": .array(
        configuration.apps.map { app in
          .object([
            "bundleId": .string(app.bundleID), "appAppleId": .integer(app.appAppleID),
            "products": .array(
              (app.products.map(\.id) + app.packs.map(\.id)).map(JSONValue.string)),
          ])
        }),
      "isAway": .boolean(await simulation.isAway),
      "serverApi": .object([
        "keyId": .string(serverAPIKey.keyID), "issuerId": .string(serverAPIKey.issuerID),
      ]),
      "webhook": await simulation.webhook.map(JSONValue.string) ?? .null,
      "versions": .string(await simulation.versions.rawValue),
      "desk": await simulation.desk.map(JSONValue.string) ?? .null,
      "products": .array(
        configuration.apps.flatMap(\.products).map(Self.json)),
      "packs": .array(
        configuration.apps.flatMap(\.packs).map(Self.json)),
      "customers": .array(
        Set(held.map(\.subscription.customer) + packs.map(\.purchase.customer)).sorted()
          .map(JSONValue.string)),
      "subscriptions": .array(held.map(json)),
      "purchases": .array(packs.map(Self.json)),
      "notifications": .array(await simulation.deliveries.reversed().map(json)),
    ])
  }

  func receipt(_ call: ControlCall) async throws -> HTTPResponseMessage {
    guard let customer = call.parameter("customer"), customer.utf8.count <= 128 else {
      throw ControlRefusal.invalid("customer")
    }
    let environment = try AppStoreEnvironment(
      controlled: call.parameter("environment") ?? "Production")
    let apps = simulation.configuration.apps
    let name = call.parameter("app") ?? apps[0].bundleID
    guard let app = apps.first(where: { $0.bundleID.utf8.elementsEqual(name.utf8) }) else {
      throw ControlRefusal.invalid("app")
    }
    _ = await simulation.now
    let shop = Shop(app: app.bundleID, environment: environment)
    let receipt = try await simulation.appStore(shop).receipt(of: customer)
    let newest = try? await simulation.find(
      customer: customer, environment, app: app.bundleID
    ).newest
    return .json([
      "app": .string(app.bundleID),
      "customer": .string(customer), "environment": .string(environment.rawValue),
      "receipt": .string(receipt),
      "signedTransactionInfo": try newest.map { .string(try $0.signedTransactionInfo) } ?? .null,
    ])
  }

  private static func json(_ product: SoldProduct) -> JSONValue {
    .object([
      "id": .string(product.id), "name": .string(product.name), "days": .integer(product.days),
      "commitmentPrice": product.commitmentPrice.map(JSONValue.integer) ?? .null,
      "winBackOffers": .array(product.winBackOffers.map(JSONValue.string)),
    ])
  }

  private static func json(_ pack: SoldPack) -> JSONValue {
    .object([
      "id": .string(pack.id), "name": .string(pack.name), "kind": .string(pack.kind.rawValue),
    ])
  }

  /// The pack with its transaction as Apple signs it for the app.
  func json(_ pack: BoughtPack) throws -> JSONValue {
    guard case .object(var members) = Self.json(pack) else { return .null }
    members["signedTransactionInfo"] = .string(try pack.news.signedTransactionInfo)
    return .object(members)
  }

  private static func json(_ pack: BoughtPack) -> JSONValue {
    .object([
      "transactionId": .string(pack.purchase.transactionID),
      "orderId": .string(pack.purchase.orderID),
      "app": .string(pack.shop.app),
      "environment": .string(pack.shop.environment.rawValue),
      "customer": .string(pack.purchase.customer),
      "product": .string(pack.purchase.productID),
      "quantity": .integer(pack.news.transaction.quantity ?? 1),
      "purchased": .time(pack.news.transaction.purchaseDate),
      "refunded": .time(pack.news.transaction.revocationDate),
    ])
  }

  func json(_ held: Simulation.Held) -> JSONValue {
    let subscription = held.subscription
    let renewal = subscription.renewal
    return .object([
      "originalTransactionId": .string(subscription.originalTransactionID),
      "app": .string(held.shop.app),
      "environment": .string(held.shop.environment.rawValue),
      "customer": .string(subscription.customer),
      "product": .string(held.newest.productID),
      "status": .string(Self.word(for: subscription.status)),
      "expires": .time(subscription.transactions.last?.expiresDate),
      "autoRenew": .boolean(renewal.autoRenewStatus == .on),
      "renewalProduct": renewal.autoRenewProductID.map(JSONValue.string) ?? .null,
      "ownership": .string(
        subscription.transactions.last?.inAppOwnershipType?.rawValue ?? "PURCHASED"),
      "priceIncrease": renewal.priceIncreaseStatus.map {
        .string($0 == .notAnswered ? "asked" : "accepted")
      } ?? .null,
      "nextOffer": renewal.offerIdentifier.map(JSONValue.string) ?? .null,
      "winBackOffers": .array((renewal.eligibleWinBackOfferIDs ?? []).map(JSONValue.string)),
      "commitmentRenews": renewal.commitmentInfo.map {
        .boolean($0.commitmentAutoRenewStatus == .on)
      } ?? .null,
      "timeline": .array(zip(subscription.transactions, subscription.orderIDs).map(Self.json)),
    ])
  }

  private static func json(_ transaction: Transaction, orderID: String) -> JSONValue {
    .object([
      "transactionId": .string(transaction.transactionID ?? ""),
      "orderId": .string(orderID),
      "reason": .string(transaction.transactionReason == .renewal ? "renewal" : "purchase"),
      "product": .string(transaction.productID ?? ""),
      "purchased": .time(transaction.purchaseDate),
      "expires": .time(transaction.expiresDate),
      "refunded": .time(transaction.revocationDate),
      "refundedPercent": transaction.revocationPercentage.map { .integer($0 / 1000) } ?? .null,
      "upgraded": .boolean(transaction.isUpgraded ?? false),
      "offer": transaction.offerType.flatMap(word(for:)).map(JSONValue.string) ?? .null,
      "period": transaction.commitmentInfo?.billingPeriodNumber.map(JSONValue.integer) ?? .null,
      "periods": transaction.commitmentInfo?.totalBillingPeriods.map(JSONValue.integer) ?? .null,
    ])
  }

  func json(_ delivery: Delivery) -> JSONValue {
    let notification = delivery.notification
    let subtype = delivery.version == .v2 ? notification.subtype?.rawValue : nil
    return .object([
      "number": .integer(delivery.number),
      "time": .time(delivery.date),
      "version": .string(delivery.version.rawValue),
      "type": .string(delivery.type),
      "subtype": subtype.map(JSONValue.string) ?? .null,
      "app": .string(delivery.shop.app),
      "environment": .string(delivery.shop.environment.rawValue),
      "customer": .string(delivery.customer),
      "originalTransactionId": .string(notification.transaction?.originalTransactionID ?? ""),
      "transactionId": .string(notification.transaction?.transactionID ?? ""),
      "state": .string(delivery.state.rawValue),
      "attempts": .array(
        delivery.attempts.map { attempt in
          .object([
            "status": attempt.status.map(JSONValue.integer) ?? .null,
            "text": .string(attempt.text),
          ])
        }),
    ])
  }

  private static func word(for offer: OfferType) -> String? {
    switch offer {
    case .introductory: "introductory"
    case .promotional: "promotional"
    case .offerCode: "code"
    case .winBack: "winBack"
    default: nil
    }
  }

  private static func word(for status: SubscriptionStatus) -> String {
    switch status {
    case .active: "active"
    case .expired: "expired"
    case .billingRetry: "billingRetry"
    case .billingGracePeriod: "billingGracePeriod"
    case .revoked: "refunded"
    default: "unknown"
    }
  }
}

extension Date {
  /// The date as RFC 3339 in UTC, in whole seconds.
  var text: String { formatted(.iso8601) }
}

extension JSONValue {
  fileprivate static func time(_ date: Date?) -> JSONValue {
    date.map { .string($0.text) } ?? .null
  }
}
