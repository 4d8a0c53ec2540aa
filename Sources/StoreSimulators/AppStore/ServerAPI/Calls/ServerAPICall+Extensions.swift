internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ServerAPIRoute {
  /// The calls that extend subscriptions: section 2.2 of the App Store Server API rules.
  static let extensions: [ServerAPIRoute] = [
    ServerAPIRoute(.post, "inApps/v1/subscriptions/extend/mass", limit: 1) { try $0.extendAll() },
    ServerAPIRoute(.get, "inApps/v1/subscriptions/extend/mass/{product}/{request}") {
      try $0.extensionStatus()
    },
    ServerAPIRoute(.put, "inApps/v1/subscriptions/extend/{id}", limit: 20) { try $0.extendOne() },
  ]
}

extension ServerAPICall {
  /// Extends the paid period of one subscription.
  func extendOne() throws -> ServerAPIAnswer {
    let id = try number(or: ServerAPIRefusal(4_000_008))
    let body = try body()
    let days = try Self.days(body)
    guard let request = body["requestIdentifier"]?.text, (1...128).contains(request.utf16.count)
    else { throw ServerAPIRefusal(4_000_011) }
    guard let latest = store.latest(id) else { throw ServerAPIRefusal.unknownOriginalTransaction }
    if let refusal = store.extensionRefusal(latest, at: moment(of: latest.customer)) {
      throw refusal
    }
    let notification = try appStore.notify { store, now in
      store.extend(id, by: Double(days) * 86_400, at: now)
      return SimulatedChange(.renewalExtended, latest)
    }
    let extended = notification.transaction
    var members: [String: JSONValue] = [
      "originalTransactionId": .string(String(id)), "success": .boolean(true),
    ]
    members["webOrderLineItemId"] = extended.webOrderLineItemID.map(JSONValue.string)
    members["effectiveDate"] = extended.expiresDate.map(JSONValue.milliseconds)
    return .json(members)
  }

  /// Takes an extension for all subscribers of a product; one that is known runs no second time.
  func extendAll() throws -> ServerAPIAnswer {
    let body = try body()
    let days = try Self.days(body)
    guard let request = body["requestIdentifier"]?.uuid else { throw ServerAPIRefusal(4_000_011) }
    guard let product = body["productId"]?.text, isForSale(product) else {
      throw ServerAPIRefusal(4_000_023)
    }
    let job = MassExtension(
      requestIdentifier: request, productID: product, days: days,
      storefronts: try Self.storefronts(body["storefrontCountryCodes"]), requestDate: now)
    appStore.state.withLock { state in
      let isKnown = state.serverAPI.massExtensions.contains { $0.requestIdentifier == request }
      if !isKnown { state.serverAPI.massExtensions.append(job) }
    }
    appStore.runMassExtensions(at: now)
    return .json(["requestIdentifier": body["requestIdentifier"] ?? .null])
  }

  /// Answers with the progress of an extension for all subscribers.
  func extensionStatus() throws -> ServerAPIAnswer {
    let product = parameter("product")
    guard let request = JSONValue.string(parameter("request")).uuid else {
      throw ServerAPIRefusal(4_000_011)
    }
    guard isForSale(product) else { throw ServerAPIRefusal(4_000_023) }
    let jobs = isElsewhere ? [] : appStore.state.withLock { $0.serverAPI.massExtensions }
    guard
      let job = jobs.first(where: { $0.requestIdentifier == request && $0.productID == product })
    else { throw ServerAPIRefusal(4_040_009) }
    var members: [String: JSONValue] = [
      "requestIdentifier": .string(parameter("request")),
      "complete": .boolean(job.outcome != nil),
    ]
    if let outcome = job.outcome {
      members["completeDate"] = .milliseconds(outcome.date)
      members["succeededCount"] = .integer(outcome.succeeded)
      members["failedCount"] = .integer(outcome.failed)
    }
    return .json(members)
  }

  // MARK: Members

  private static func days(_ body: [String: JSONValue]) throws(ServerAPIRefusal) -> Int {
    guard let days = body["extendByDays"]?.whole, (1...90).contains(days) else {
      throw ServerAPIRefusal(4_000_009)
    }
    guard let reason = body["extendReasonCode"]?.whole, (0...3).contains(reason) else {
      throw ServerAPIRefusal(4_000_010)
    }
    return days
  }

  private static func storefronts(_ value: JSONValue?) throws(ServerAPIRefusal) -> [String]? {
    guard let value else { return nil }
    guard let elements = value.elements else { throw .malformedBody }
    guard !elements.isEmpty else { throw ServerAPIRefusal(4_000_027) }
    let codes = elements.compactMap(\.text)
    guard codes.count == elements.count, codes.allSatisfy(isStorefront) else {
      throw ServerAPIRefusal(4_000_028)
    }
    return codes
  }

  /// Whether a text has the form of a storefront: three capital letters.
  static func isStorefront(_ text: String) -> Bool {
    text.utf8.count == 3 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }

  /// Whether the simulator sells a subscription under an identifier.
  func isForSale(_ product: String) -> Bool {
    !isElsewhere
      && appStore.products.contains { sold in
        guard case .autoRenewable = sold.kind else { return false }
        return sold.id == product
      }
  }
}

extension AppStoreSimulator {
  /// Extends the paid period of a subscription, as a request to extend it does.
  ///
  /// Apple takes 1 to 90 days.
  ///
  /// - Throws: ``SimulatorFailure/notExtensible``, ``SimulatorFailure/unknownPurchase``.
  @discardableResult
  public func extend(
    _ purchase: TestPurchase, byDays days: Int
  ) throws(SimulatorFailure) -> TestNotification {
    try notify { (store, now) throws(SimulatorFailure) in
      let latest = try latest(of: purchase, in: store)
      let moment = SimulatedMoment(of: latest.customer, in: store, at: now)
      guard store.extensionRefusal(latest, at: moment) == nil else { throw .notExtensible }
      store.extend(latest.originalID, by: Double(days) * 86_400, at: now)
      return SimulatedChange(.renewalExtended, latest)
    }
  }
}

extension SimulatedStore {
  /// Returns the reason why Apple does not extend a subscription; nil if it does.
  ///
  /// Source: App Store Server API rules, section 2.2.
  func extensionRefusal(
    _ latest: SimulatedTransaction, at moment: SimulatedMoment
  ) -> ServerAPIRefusal? {
    if latest.isShared {
      return ServerAPIRefusal(latest.ownership == .assigned ? 4_030_028 : 4_030_007)
    }
    // Free offers, failed renewals, refunds and expired subscriptions are not extended.
    guard moment.status(latest.originalID) == .active, latest.offer != .trial else {
      return ServerAPIRefusal(4_030_004)
    }
    let year = moment.date.addingTimeInterval(-365 * 86_400)
    guard extensions(of: latest.originalID).count(where: { $0 > year }) < 2 else {
      return ServerAPIRefusal(4_030_005)
    }
    return nil
  }
}
