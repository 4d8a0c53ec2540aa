internal import JSONValues
internal import ReceiptModels
internal import StorekeeperLocks

extension ServerAPICall {
  /// Ends a subscription and refunds its running period.
  func revokeSubscription(_ request: AdvancedCommerceRequest) throws {
    let latest = request.latest
    guard latest.group != nil else { throw ServerAPIRefusal.noSubscription }
    guard latest.ownership == .purchased else { throw ServerAPIRefusal.notOwned }
    let reason = try Self.refundReason(request.body["refundReason"])
    let type = try Self.refundType(request.body["refundType"], allowed: ["FULL", "PRORATED"])
    let isRisky = try Self.riskingPreference(request)
    try checkRefundable(latest, reason)
    guard latest.isRunning(at: now) else {
      throw ServerAPIRefusal.advancedCommerce(186, "An inactive subscription is not revoked.")
    }
    try refund(latest, type == "FULL" ? .full : .prorated, reason, isRisky: isRisky)
  }

  /// Refunds items of a charge.
  ///
  /// The charge as a whole is revoked if one item is; items that keep their access only show the
  /// refund.
  func requestRefund(_ request: AdvancedCommerceRequest) throws {
    let items = try request.items()
    try Self.checkCurrency(request.body["currency"])
    var kind = RefundKind.full
    var reason = "OTHER"
    var revokes = false
    for item in items {
      let sku = try AdvancedCommerceRequest.sku(item)
      guard request.currentItems.contains(where: { $0.sku == sku }) else {
        throw ServerAPIRefusal.advancedCommerce(122, "Unknown SKU.")
      }
      reason = try Self.refundReason(item["refundReason"])
      let type = try Self.refundType(item["refundType"], allowed: ["FULL", "PRORATED", "CUSTOM"])
      try Self.checkAmount(item["refundAmount"], of: type)
      guard let revoke = item["revoke"]?.truth else {
        throw ServerAPIRefusal.advancedCommerce(173, "Missing revoke.")
      }
      if type != "FULL" { kind = .prorated }
      revokes = revokes || revoke
    }
    let isRisky = try Self.riskingPreference(request)
    try checkRefundable(request.charge, reason)
    noteRefunds(items, of: request.charge)
    guard revokes || isRisky else {
      _ = try appStore.notify { (_, _) throws(SimulatorFailure) in
        SimulatedChange(.purchaseRefunded, request.charge)
      }
      return
    }
    try refund(request.charge, kind, reason, isRisky: isRisky)
  }

  private enum RefundKind {
    case full, prorated
  }

  private func refund(
    _ charge: SimulatedTransaction, _ kind: RefundKind, _ reason: String, isRisky: Bool
  ) throws {
    let isSimulated = reason == "SIMULATE_REFUND_DECLINE"
    if isRisky {
      let request = SimulatedRefundRequest(
        reason: ConsumptionRequestReason(rawValue: reason),
        type: kind == .full ? .refundFull : .refundProrated)
      _ = try appStore.requestRefund(of: charge.id, request)
    } else if isSimulated {
      _ = try appStore.decide(.decline, about: charge)
    } else {
      let share = charge.unusedShare(at: now)
      _ = try appStore.decide(kind == .full ? .full : .prorated(share), about: charge)
    }
  }

  private func checkRefundable(
    _ charge: SimulatedTransaction, _ reason: String
  ) throws(ServerAPIRefusal) {
    guard reason != "SIMULATE_REFUND_DECLINE" || server == .sandbox else {
      throw .advancedCommerce(158, "A decline is simulated in the Sandbox only.")
    }
    guard charge.cancellationDate == nil else {
      throw ServerAPIRefusal(4_030_021, "The charge was refunded before.")
    }
    let isPending = appStore.state.withLock { $0.serverAPI.refundRequests[charge.id] != nil }
    guard !isPending else { throw .advancedCommerce(181, "A refund is pending.") }
  }

  /// Writes refunds into the items of a charge, if Advanced Commerce sold it.
  private func noteRefunds(_ items: [JSONValue], of charge: SimulatedTransaction) {
    try? appStore.changeStore { store, now in
      store.change(charge.id) { transaction in
        guard var sold = transaction.advancedCommerceInfo?.items else { return }
        for item in items {
          guard let index = sold.firstIndex(where: { $0.sku == item["SKU"]?.text }) else {
            continue
          }
          var refund = AdvancedCommerceRefund()
          refund.refundDate = now
          refund.refundAmount = item["refundAmount"]?.whole
          refund.refundReason = item["refundReason"]?.text.map { .init(rawValue: $0) }
          refund.refundType = item["refundType"]?.text.map { .init(rawValue: $0) }
          sold[index].refunds = (sold[index].refunds ?? []) + [refund]
          if item["revoke"] == .boolean(true) { sold[index].revocationDate = now }
        }
        transaction.advancedCommerceInfo?.items = sold
      }
    }
  }

  // MARK: Members

  private static let refundReasons: Set<String> = [
    "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER",
    "MODIFY_ITEMS_REFUND", "SIMULATE_REFUND_DECLINE",
  ]

  private static func refundReason(_ value: JSONValue?) throws(ServerAPIRefusal) -> String {
    guard let value else { throw .advancedCommerce(156, "Missing refund reason.") }
    guard let text = value.text, refundReasons.contains(text) else {
      throw .advancedCommerce(124, "Invalid refund reason.")
    }
    return text
  }

  private static func refundType(
    _ value: JSONValue?, allowed: Set<String>
  ) throws(ServerAPIRefusal) -> String {
    guard let value else { throw .advancedCommerce(157, "Missing refund type.") }
    guard let text = value.text, allowed.contains(text) else {
      throw .advancedCommerce(123, "Invalid refund type.")
    }
    return text
  }

  private static func riskingPreference(
    _ request: AdvancedCommerceRequest
  ) throws(ServerAPIRefusal) -> Bool {
    guard let preference = request.body["refundRiskingPreference"]?.truth else {
      throw .advancedCommerce(159, "Missing refund risking preference.")
    }
    return preference
  }

  private static func checkAmount(_ value: JSONValue?, of type: String) throws(ServerAPIRefusal) {
    guard type == "CUSTOM" else {
      if value != nil { throw .advancedCommerce(155, "Only a custom refund has an amount.") }
      return
    }
    guard let amount = value?.whole else { throw .advancedCommerce(153, "Missing refund amount.") }
    guard amount >= 0 else { throw .advancedCommerce(154, "Negative refund amount.") }
  }
}
