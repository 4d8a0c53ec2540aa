internal import CreditPolicy
internal import JSONValues
internal import ReceiptModels
internal import Storekeeper

// The bodies of answers about credits, with members in the order of the contract (credit rules, sections 1
// and 3).

extension CreditGrant {
  var json: OrderedJSON {
    .object([
      .init("status", status == .granted ? "granted" : "already_granted"),
      .init("productCode", productCode), .init("transactionId", transactionID),
      .init("creditsAdded", creditsAdded), .init("newBalance", newBalance),
      .init("ledgerEventId", ledgerEventID),
    ])
  }
}

extension CreditProduct {
  var json: OrderedJSON {
    .object(
      [
        .init("productCode", code), .init("appStoreProductId", appStoreProductID),
        .init("credits", credits), .init("type", type.rawValue),
      ] + (googlePlayProductID.map { [.init("googlePlayProductId", $0)] } ?? []))
  }
}

extension LedgerPage {
  var json: OrderedJSON {
    .object([
      .init("total", total), .init("page", page), .init("limit", limit),
      .init("data", .array(entries.map(\.json))),
    ])
  }
}

extension LedgerEntry {
  var json: OrderedJSON {
    .object([
      .init("event_id", booking.eventID), .init("change_type", booking.changeType.rawValue),
      .init("biz_type", booking.subjectType), .init("biz_id", booking.subjectID),
      .init("amount", booking.amount), .init("balance_after", balanceAfter),
      .init("metadata", metadata),
    ])
  }

  private var metadata: OrderedJSON {
    var members = booking.metadata
    guard case .object(let ext)? = members.removeValue(forKey: "ext") else {
      return OrderedJSON(booking.metadata, first: [])
    }
    guard case .object(let others) = OrderedJSON(members, first: []) else { return .object([]) }
    return .object([.init("ext", OrderedJSON(ext, first: Self.order))] + others)
  }

  /// The order of the details of entries about purchases.
  private static let order = [
    "provider", "environment", "bundle_id", "package_name", "product_code", "app_store_product_id",
    "google_play_product_id",
    "transaction_id", "original_transaction_id", "original_event_id",
    "notification_uuid", "notification_type", "original_amount", "clawed_back", "shortfall",
    "revocation_date", "revocation_reason", "revocation_percentage", "refunded_units",
    "reversed_event_id",
    "quantity",
    "credits_per_unit", "purchase_date", "app_account_token",
  ]
}
