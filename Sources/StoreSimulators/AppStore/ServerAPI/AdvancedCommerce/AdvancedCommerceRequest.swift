internal import HTTPMessages
internal import JSONValues
public import ReceiptModels
internal import StorekeeperLocks

/// The parts that all requests of Advanced Commerce share, checked.
struct AdvancedCommerceRequest {
  let body: [String: JSONValue]
  /// The identifier of the request, in lower case.
  let reference: String
  let charge: SimulatedTransaction
  /// The newest transaction of the same subscription.
  let latest: SimulatedTransaction
  /// The subscription as Advanced Commerce knows it; nil for one that it did not sell.
  let info: AdvancedCommerceRenewalInfo?

  init(_ call: ServerAPICall) throws(ServerAPIRefusal) {
    guard call.settings.offersAdvancedCommerce else {
      throw ServerAPIRefusal(4_010_000, "Unauthorized.")
    }
    let id = try call.number()
    let store = call.store
    guard let charge = store.transaction(id), let latest = store.latest(charge.originalID) else {
      throw .unknownTransaction
    }
    guard case .object(let members)? = try? JSONValue(parsing: call.request.body) else {
      throw .advancedCommerce(173, "Malformed payload.")
    }
    body = members.filter { $0.value != .null }
    self.charge = charge
    self.latest = latest
    info = store.advancedCommerce(of: charge.originalID)
    reference = try Self.reference(body["requestInfo"], info)
    if let storefront = body["storefront"] {
      guard let text = storefront.text, ServerAPICall.isStorefront(text) else {
        throw ServerAPIRefusal(4_000_028)
      }
      guard text == "USA" else { throw .advancedCommerce(133, "Storefront mismatch.") }
    }
    let isRepeated = call.appStore.state.withLock { [reference] in
      $0.serverAPI.advancedCommerce.references.contains(reference)
    }
    guard !isRepeated else { throw .advancedCommerce(97, "Repeated request reference id.") }
  }

  private static func reference(
    _ request: JSONValue?, _ info: AdvancedCommerceRenewalInfo?
  ) throws(ServerAPIRefusal) -> String {
    guard let request else { throw .advancedCommerce(79, "Missing request info.") }
    guard let value = request["requestReferenceId"] else {
      throw .advancedCommerce(80, "Missing request reference id.")
    }
    guard let reference = value.uuid else {
      throw .advancedCommerce(81, "Invalid request reference id.")
    }
    if let token = request["appAccountToken"], token.uuid == nil {
      throw .advancedCommerce(33, "Invalid app account token.")
    }
    if let token = request["consistencyToken"], token.text != info?.consistencyToken {
      throw .advancedCommerce(82, "Invalid consistency token.")
    }
    return reference
  }

  // MARK: Members

  /// Returns a text of some length; a missing or empty one is refused.
  static func text(
    _ value: JSONValue?, upTo limit: Int = .max, missing: Int, tooLong: Int = 0
  ) throws(ServerAPIRefusal) -> String {
    guard let text = value?.text, !text.isEmpty else {
      throw .advancedCommerce(missing, "A member is missing.")
    }
    guard text.count <= limit else { throw .advancedCommerce(tooLong, "A text is too long.") }
    return text
  }

  /// Returns a text of some length, or nil if it is missing.
  static func optionalText(
    _ value: JSONValue?, upTo limit: Int, tooLong: Int
  ) throws(ServerAPIRefusal) -> String? {
    guard let value else { return nil }
    return try text(value, upTo: limit, missing: tooLong, tooLong: tooLong)
  }

  /// Returns the elements of `items`, of which there has to be one.
  func items() throws(ServerAPIRefusal) -> [JSONValue] {
    guard let items = body["items"]?.elements else {
      throw .advancedCommerce(101, "Missing items.")
    }
    guard !items.isEmpty else { throw .advancedCommerce(160, "There must be at least one item.") }
    return items
  }

  static func sku(_ item: JSONValue) throws(ServerAPIRefusal) -> String {
    try text(item["SKU"], upTo: 128, missing: 105, tooLong: 87)
  }

  /// The items of the subscription; one that Advanced Commerce did not sell is its product alone.
  var currentItems: [AdvancedCommerceRenewalItem] {
    if let items = info?.items { return items }
    var item = AdvancedCommerceRenewalItem()
    item.sku = latest.product.id
    return [item]
  }
}

extension ServerAPIRefusal {
  /// A refusal of Advanced Commerce by the last three digits of its code, with status 400.
  static func advancedCommerce(_ number: Int, _ message: String) -> ServerAPIRefusal {
    ServerAPIRefusal(4_000_000 + number, message)
  }

  static let noSubscription = ServerAPIRefusal(4_030_008, "There is no subscription.")
  static let notEligible = ServerAPIRefusal(4_030_010, "The subscription is not eligible.")
  static let notOwned = ServerAPIRefusal(4_030_013, "The product is not owned.")
}

/// The state that the simulator keeps for Advanced Commerce besides the purchases.
struct AdvancedCommerceState: Sendable {
  /// The reference identifiers of the requests that were carried out, in lower case.
  var references: Set<String> = []
}

extension AppStoreSimulator {
  /// Makes a subscription one of Advanced Commerce, as if it had been sold with these items.
  ///
  /// Its newest transaction and all later ones carry `advancedCommerceInfo`.
  ///
  /// - Throws: ``SimulatorFailure/notASubscription``, ``SimulatorFailure/unknownPurchase``.
  public func useAdvancedCommerce(
    for purchase: TestPurchase, items: [AdvancedCommerceRenewalItem],
    descriptors: AdvancedCommerceDescriptors = .init(
      description: "All of the reader", displayName: "Reader"),
    taxCode: String = "C003-00-1"
  ) throws(SimulatorFailure) {
    try changeStore { (store, _) throws(SimulatorFailure) in
      guard try latest(of: purchase, in: store).group != nil else { throw .notASubscription }
      var info = AdvancedCommerceRenewalInfo()
      info.items = items
      info.descriptors = descriptors
      info.taxCode = taxCode
      store.setAdvancedCommerce(info, of: originalID(purchase))
    }
  }
}

extension AdvancedCommerceRenewalInfo {
  /// The same about a charge instead of the next renewal.
  var transactionInfo: AdvancedCommerceTransactionInfo {
    var info = AdvancedCommerceTransactionInfo()
    info.descriptors = descriptors
    info.period = period
    info.requestReferenceID = requestReferenceID
    info.taxCode = taxCode
    info.items = items?.map { renewed in
      var item = AdvancedCommerceTransactionItem()
      item.sku = renewed.sku
      item.displayName = renewed.displayName
      item.description = renewed.description
      item.price = renewed.price
      item.offer = renewed.offer
      return item
    }
    return info
  }
}
