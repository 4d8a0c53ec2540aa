internal import GooglePlayVerifier
internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PlayStoreSimulator {
  /// Answers a request about purchases, as of now.
  func purchases(
    _ request: HTTPRequestMessage, _ target: PlayTarget, _ route: PlayRoute
  ) throws(GoogleAPIError) -> HTTPResponseMessage {
    let now = now
    return try state.withLock { (state) throws(GoogleAPIError) in
      state.world.settle(at: now)
      try authorize(request, state, at: now)
      try state.quotas.count(route.endpoint, at: now, state.settings)
      guard route.packageName == packageName || otherPackageNames.contains(route.packageName)
      else { throw .unknownPackage }
      let call = PlayCall(
        route: route, target: target, body: request.body,
        isOtherPackage:
          route.packageName != packageName, catalog: products, settings: state.settings, now: now)
      return try call.answer(&state.world)
    }
  }
}

/// A request about purchases, which is authorized.
struct PlayCall: Sendable {
  let route: PlayRoute
  let target: PlayTarget
  let body: [UInt8]
  /// Whether the request names another app of the developer.
  let isOtherPackage: Bool
  /// The products for sale.
  let catalog: [PlayProduct]
  let settings: PlayStoreSimulator.Settings
  let now: Date

  func answer(_ world: inout PlayWorld) throws(GoogleAPIError) -> HTTPResponseMessage {
    switch route.endpoint {
    case .subscription:
      return .google(
        SubscriptionAnswer(
          subscription: try subscription(world), fractionDigits: settings.fractionDigits
        ).members)
    case .product: return .google(try productAnswer(world).members)
    case .olderProduct:
      let answer = try productAnswer(world)
      guard answer.product.productID == route.productID else { throw .otherProduct }
      return .google(answer.olderMembers)
    case .acknowledgeSubscription: return try acknowledgeSubscription(&world)
    case .acknowledgeProduct: return try changeProduct(&world) { $0.acknowledge() }
    case .consumeProduct: return try changeProduct(&world) { $0.consume() }
    case .voidedPurchases: return try voidedPurchases(world)
    case .cancelSubscription: return try cancelSubscription(&world)
    case .deferSubscription: return try deferSubscription(&world)
    case .revokeSubscription: return try revokeSubscription(&world)
    case .order: return try order(world)
    case .orders: return try orders(world)
    case .refundOrder: return try refundOrder(&world)
    case .reviewRefund: return try reviewRefund(&world)
    case .createExternalTransaction: return try createExternalTransaction(&world)
    case .externalTransaction: return try externalTransaction(world)
    case .refundExternalTransaction: return try refundExternalTransaction(&world)
    case .subscriptionProduct: return try subscriptionProduct()
    case .subscriptionProducts: return try subscriptionProducts()
    case .oneTimeProduct: return try oneTimeProduct()
    case .oneTimeProducts: return try oneTimeProducts()
    case .token, .certificates: throw .unknownCall
    }
  }

  // MARK: Purchases

  /// Returns the subscription that a token names.
  func subscription(
    _ world: PlayWorld
  ) throws(GoogleAPIError) -> SimulatedPlaySubscription {
    try checkToken(world)
    guard let subscription = world.shownSubscription(route.token, at: now) else {
      throw .invalid("token")
    }
    guard !subscription.isForgotten else { throw .forgottenToken }
    if case .expired = subscription.phase, let end = subscription.expiry,
      now >= end.addingTimeInterval(settings.availability.timeInterval)
    {
      throw .endedLongAgo
    }
    return subscription
  }

  /// Returns the one-time purchase that a token names.
  private func product(_ world: PlayWorld) throws(GoogleAPIError) -> SimulatedPlayProduct {
    try checkToken(world)
    guard let product = world.product(route.token) else { throw .invalid("token") }
    guard !product.isForgotten else { throw .forgottenToken }
    return product
  }

  private func productAnswer(_ world: PlayWorld) throws(GoogleAPIError) -> ProductAnswer {
    ProductAnswer(product: try product(world), fractionDigits: settings.fractionDigits)
  }

  private func checkToken(_ world: PlayWorld) throws(GoogleAPIError) {
    guard PlayToken.hasForm(route.token) else { throw .invalid("token") }
    guard world.subscription(route.token) != nil || world.product(route.token) != nil else {
      throw .unknownToken
    }
    guard !isOtherPackage else { throw .otherPackage }
  }

  // MARK: Acknowledgement

  private func acknowledgeSubscription(
    _ world: inout PlayWorld
  ) throws(GoogleAPIError) -> HTTPResponseMessage {
    let subscription = try subscription(world)
    guard subscription.items.contains(where: { $0.productID == route.productID }) else {
      throw .otherProduct
    }
    let request = try bodyMembers()
    if subscription.isAcknowledged { return empty }
    guard subscription.isOwned else { throw .wrongState }
    world.alter(route.token) { subscription in
      subscription.acknowledge()
      // A purchase out of the app gets its account here.
      let ids = request["externalAccountIds"]
      subscription.accountID = subscription.accountID ?? ids?["obfuscatedAccountId"]?.text
      subscription.profileID = subscription.profileID ?? ids?["obfuscatedProfileId"]?.text
    }
    return empty
  }

  private func changeProduct(
    _ world: inout PlayWorld, _ body: (inout SimulatedPlayProduct) -> Void
  ) throws(GoogleAPIError) -> HTTPResponseMessage {
    let product = try product(world)
    guard product.productID == route.productID else { throw .otherProduct }
    _ = try bodyMembers()
    guard product.phase == .purchased else { throw .wrongState }
    world.alter(product: route.token, body)
    return empty
  }

  /// Returns the members of the body, which may be missing.
  func bodyMembers() throws(GoogleAPIError) -> [String: JSONValue] {
    guard !body.isEmpty else { return [:] }
    guard case .object(let members)? = try? JSONValue(parsing: body) else {
      throw GoogleAPIError(.badRequest, "parseError", "The body is no JSON object", isGlobal: true)
    }
    return members
  }

  /// Reads the body as Google's request, and checks it by Google's rules; unknown members are refused.
  func checkedBody<Request: CheckedPlayRequest>(
    as type: Request.Type
  ) throws(GoogleAPIError) -> Request {
    let members = try bodyMembers()
    let request: Request
    do throws(FieldTypeFailure) { request = try Request(json: .object(members)) } catch {
      throw .invalid(error.path)
    }
    do throws(InvalidCall) { try request.validate() } catch { throw .invalid("\(error)") }
    if let unknown = request.additionalMembers.keys.min() { throw .invalid(unknown) }
    return request
  }

  var empty: HTTPResponseMessage {
    switch settings.emptyAnswer {
    case .noContent: HTTPResponseMessage(status: .noContent)
    case .emptyObject: .google([:])
    }
  }
}
