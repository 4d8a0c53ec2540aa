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
  /// The calls of Advanced Commerce: section 2.6 of the App Store Server API rules.
  static let advancedCommerce: [ServerAPIRoute] = [
    commerceRoute("subscription/cancel", limit: 5) { try $0.cancelSubscription($1) },
    commerceRoute("subscription/changeMetadata", limit: 50) { try $0.changeMetadata($1) },
    commerceRoute("subscription/changePrice", limit: 50) { try $0.changePrice($1) },
    commerceRoute("subscription/migrate", limit: 50) { try $0.migrateSubscription($1) },
    commerceRoute("subscription/revoke", limit: 5) { try $0.revokeSubscription($1) },
    commerceRoute("transaction/requestRefund", limit: 5) { try $0.requestRefund($1) },
  ]

  private static func commerceRoute(
    _ path: String, limit: Int,
    _ change: @escaping @Sendable (ServerAPICall, AdvancedCommerceRequest) throws -> Void
  ) -> ServerAPIRoute {
    ServerAPIRoute(.post, "advancedCommerce/v1/\(path)/{id}", limit: limit) { call in
      let request = try AdvancedCommerceRequest(call)
      try change(call, request)
      call.appStore.state.withLock {
        _ = $0.serverAPI.advancedCommerce.references.insert(request.reference)
      }
      let store = call.store
      let charge = store.transaction(request.charge.id) ?? request.charge
      var members = ["signedTransactionInfo": JSONValue.string(try call.signed(charge))]
      members["signedRenewalInfo"] = try call.signedRenewalInfo(of: charge).map(JSONValue.string)
      return .json(members)
    }
  }
}

extension ServerAPICall {
  /// Turns automatic renewal off.
  func cancelSubscription(_ request: AdvancedCommerceRequest) throws {
    try checkRunning(request)
    try changeRenewal(of: request, .renewalSwitchedOff) { $0.isOn = false }
  }

  /// Changes names, descriptions and the tax code.
  func changeMetadata(_ request: AdvancedCommerceRequest) throws {
    try checkRunning(request)
    let body = request.body
    guard body["descriptors"] != nil || body["items"] != nil || body["taxCode"] != nil else {
      throw ServerAPIRefusal.advancedCommerce(165, "Nothing is to be changed.")
    }
    var info = request.info ?? AdvancedCommerceRenewalInfo()
    info.items = request.currentItems
    if let change = body["descriptors"] {
      try Self.checkEffective(change)
      let (name, description) = try Self.names(change)
      info.descriptors = AdvancedCommerceDescriptors(
        description: description ?? info.descriptors?.description ?? "",
        displayName: name ?? info.descriptors?.displayName ?? "")
    }
    if let taxCode = body["taxCode"] {
      info.taxCode = try AdvancedCommerceRequest.text(taxCode, missing: 127)
    }
    if body["items"] != nil {
      for change in try request.items() {
        try Self.checkEffective(change)
        let sku = try AdvancedCommerceRequest.text(
          change["currentSKU"], upTo: 128, missing: 169, tooLong: 87)
        guard let index = info.items?.firstIndex(where: { $0.sku == sku }) else {
          throw ServerAPIRefusal.advancedCommerce(122, "Unknown SKU.")
        }
        let (name, description) = try Self.names(change)
        let newSKU = try AdvancedCommerceRequest.optionalText(
          change["SKU"], upTo: 128, tooLong: 87)
        if let newSKU { info.items?[index].sku = newSKU }
        if let name { info.items?[index].displayName = name }
        if let description { info.items?[index].description = description }
      }
    }
    try set(info, of: request, .metadataChanged)
  }

  /// Changes the prices of items from the next renewal on.
  func changePrice(_ request: AdvancedCommerceRequest) throws {
    try checkRunning(request)
    // A day before the renewal it is too late.
    guard let end = request.latest.expiresDate, end.timeIntervalSince(now) >= 86_400 else {
      throw ServerAPIRefusal.notEligible
    }
    try Self.checkCurrency(request.body["currency"])
    var info = request.info ?? AdvancedCommerceRenewalInfo()
    info.items = request.currentItems
    var seen: Set<String> = []
    for change in try request.items() {
      let sku = try AdvancedCommerceRequest.sku(change)
      guard seen.insert(sku).inserted else {
        throw ServerAPIRefusal.advancedCommerce(194, "The item is repeated.")
      }
      guard let price = change["price"]?.whole else {
        throw ServerAPIRefusal.advancedCommerce(109, "Missing price.")
      }
      guard price >= 0 else { throw ServerAPIRefusal.advancedCommerce(86, "Negative price.") }
      guard let index = info.items?.firstIndex(where: { $0.sku == sku }) else {
        throw ServerAPIRefusal.advancedCommerce(122, "Unknown SKU.")
      }
      info.items?[index].price = price
    }
    try set(info, of: request, .priceChanged)
  }

  /// Moves a subscription that Apple sold to Advanced Commerce.
  func migrateSubscription(_ request: AdvancedCommerceRequest) throws {
    try checkRunning(request)
    let body = request.body
    guard request.info == nil else {
      throw ServerAPIRefusal.advancedCommerce(176, "The subscription was migrated before.")
    }
    guard let descriptors = body["descriptors"] else {
      throw ServerAPIRefusal.advancedCommerce(103, "Missing descriptors.")
    }
    _ = try AdvancedCommerceRequest.text(body["targetProductId"], missing: 166)
    var info = AdvancedCommerceRenewalInfo()
    info.taxCode = try AdvancedCommerceRequest.text(body["taxCode"], missing: 99)
    info.descriptors = AdvancedCommerceDescriptors(
      description: try AdvancedCommerceRequest.text(
        descriptors["description"], upTo: 45, missing: 107, tooLong: 88),
      displayName: try AdvancedCommerceRequest.text(
        descriptors["displayName"], upTo: 30, missing: 106, tooLong: 89))
    let items = try request.items().map(Self.item)
    let renewalItems = try body["renewalItems"]?.elements?.map(Self.item)
    info.items = renewalItems ?? items
    try set(info, of: request, .migrated)
  }

  private static func item(_ value: JSONValue) throws(ServerAPIRefusal)
    -> AdvancedCommerceRenewalItem
  {
    var item = AdvancedCommerceRenewalItem()
    item.sku = try AdvancedCommerceRequest.sku(value)
    item.displayName = try AdvancedCommerceRequest.text(
      value["displayName"], upTo: 30, missing: 106, tooLong: 89)
    item.description = try AdvancedCommerceRequest.text(
      value["description"], upTo: 45, missing: 107, tooLong: 88)
    return item
  }

  // MARK: Common

  /// Refuses a change of a subscription that does not run or is not the customer's own.
  private func checkRunning(_ request: AdvancedCommerceRequest) throws(ServerAPIRefusal) {
    let latest = request.latest
    guard latest.group != nil else { throw .noSubscription }
    guard latest.ownership == .purchased else { throw .notOwned }
    guard moment(of: latest.customer).status(latest.originalID) == .active else {
      throw .notEligible
    }
  }

  private func changeRenewal(
    of request: AdvancedCommerceRequest, _ event: SimulatedEvent,
    _ body: (inout SimulatedRenewal) -> Void
  ) throws {
    _ = try appStore.notify { (store, _) throws(SimulatorFailure) in
      _ = try store.changeRenewal(request.latest.originalID) { body(&$0) }
      return SimulatedChange(event, request.latest)
    }
  }

  private func set(
    _ info: AdvancedCommerceRenewalInfo, of request: AdvancedCommerceRequest,
    _ event: SimulatedEvent
  ) throws {
    var info = info
    info.requestReferenceID = request.reference
    let changed = info
    _ = try appStore.notify { (store, _) throws(SimulatorFailure) in
      store.setAdvancedCommerce(changed, of: request.latest.originalID)
      return SimulatedChange(event, request.latest)
    }
  }

  private static func names(
    _ value: JSONValue
  ) throws(ServerAPIRefusal) -> (displayName: String?, description: String?) {
    (
      try AdvancedCommerceRequest.optionalText(value["displayName"], upTo: 30, tooLong: 89),
      try AdvancedCommerceRequest.optionalText(value["description"], upTo: 45, tooLong: 88)
    )
  }

  private static func checkEffective(_ value: JSONValue) throws(ServerAPIRefusal) {
    guard ["IMMEDIATELY", "NEXT_BILL_CYCLE"].contains(value["effective"]?.text) else {
      throw .advancedCommerce(111, "Missing effective.")
    }
  }

  static func checkCurrency(_ value: JSONValue?) throws(ServerAPIRefusal) {
    guard let value else { return }
    // A currency has the form of a storefront.
    guard let text = value.text, isStorefront(text) else {
      throw .advancedCommerce(53, "Invalid currency.")
    }
  }
}
