internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels
internal import StorekeeperLocks

extension ServerAPICall {
  /// Takes consumption information, version 2.
  ///
  /// Three refusals have a name but no known number; they come with Apple's name as text and no
  /// code. Source: App Store Server API rules, sections 2.1 and 5.6.
  func consumption() throws -> ServerAPIAnswer {
    let transaction = try transaction()
    let body = try body()
    guard body["customerConsented"] == .boolean(true) else { throw ServerAPIRefusal(4_000_035) }
    guard let status = body["deliveryStatus"]?.text, Self.deliveryStatuses.contains(status) else {
      throw ServerAPIRefusal(4_000_036)
    }
    guard body["sampleContentProvided"]?.truth != nil else { throw ServerAPIRefusal(4_000_041) }
    let preference = body["refundPreference"]
    if let preference {
      guard let text = preference.text, Self.preferences.contains(text) else {
        throw ServerAPIRefusal(4_000_044)
      }
    }
    try checkOwnership(transaction)
    guard transaction.advancedCommerceInfo == nil else {
      throw ServerAPIRefusal(
        status: .badRequest, message: "AdvancedCommerceTransactionNotSupported")
    }
    try checkPercentage(
      body["consumptionPercentage"], transaction, isDelivered: status == "DELIVERED",
      isProrated: preference == .string("GRANT_PRORATED"))
    keep(body, about: transaction)
    return .accepted
  }

  private static let deliveryStatuses: Set<String> = [
    "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM",
    "UNDELIVERED_SERVER_OUTAGE", "UNDELIVERED_OTHER",
  ]
  private static let preferences: Set<String> = ["DECLINE", "GRANT_FULL", "GRANT_PRORATED"]

  private func checkPercentage(
    _ value: JSONValue?, _ transaction: SimulatedTransaction, isDelivered: Bool, isProrated: Bool
  ) throws(ServerAPIRefusal) {
    let outOfRange = ServerAPIRefusal(
      status: .badRequest, message: "ConsumptionPercentageOutOfRange")
    if transaction.group != nil {
      // Apple computes the percentage of a subscription by itself.
      if value != nil { throw ServerAPIRefusal(4_000_209) }
      return
    }
    guard let value else {
      if isProrated { throw outOfRange }
      return
    }
    guard let percentage = value.whole, (0...100_000).contains(percentage) else { throw outOfRange }
    if !isDelivered, percentage != 0 {
      throw ServerAPIRefusal(
        status: .badRequest, message: "UndeliveredConsumptionPercentageNonZero")
    }
    if isProrated, percentage == 0 || percentage == 100_000 { throw outOfRange }
  }

  /// Takes consumption information, version 1: eleven members, of which Apple requires all.
  func consumptionV1() throws -> ServerAPIAnswer {
    let transaction = try transaction()
    let body = try body()
    guard body["customerConsented"] == .boolean(true) else { throw ServerAPIRefusal(4_000_035) }
    for (name, code, last) in Self.numbers {
      guard let number = body[name]?.whole, (0...last).contains(number) else {
        throw ServerAPIRefusal(code)
      }
    }
    guard body["sampleContentProvided"]?.truth != nil else { throw ServerAPIRefusal(4_000_041) }
    // An account without a token is written as an empty text.
    guard let token = body["appAccountToken"], token == .string("") || token.uuid != nil else {
      throw ServerAPIRefusal(4_000_033)
    }
    if let preference = body["refundPreference"] {
      guard let number = preference.whole, (0...3).contains(number) else {
        throw ServerAPIRefusal(4_000_044)
      }
    }
    try checkOwnership(transaction)
    guard transaction.product.kind == .consumable || transaction.group != nil else {
      throw ServerAPIRefusal(4_000_047)
    }
    keep(body, about: transaction)
    return .accepted
  }

  /// The members that are numbers, with their refusals and greatest values.
  private static let numbers = [
    ("accountTenure", 4_000_032, 7), ("consumptionStatus", 4_000_034, 3),
    ("deliveryStatus", 4_000_036, 5), ("lifetimeDollarsPurchased", 4_000_037, 7),
    ("lifetimeDollarsRefunded", 4_000_038, 7), ("platform", 4_000_039, 2),
    ("playTime", 4_000_040, 7), ("userStatus", 4_000_042, 4),
  ]

  private func checkOwnership(_ transaction: SimulatedTransaction) throws(ServerAPIRefusal) {
    if let refusal = transaction.sharingRefusal { throw refusal }
  }

  private func keep(_ body: [String: JSONValue], about transaction: SimulatedTransaction) {
    appStore.state.withLock {
      $0.serverAPI.consumption[transaction.id, default: []].append(.object(body))
    }
  }
}
