internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// The bookings about transactions of the stores (credit rules, section 3).
extension LedgerBooking {
  /// Creates the booking of a purchase.
  ///
  /// Returns nil unless the transaction is stored and its credits were granted.
  public init?(purchase row: CreditTransaction) {
    let purchase = row.purchase
    guard let user = row.userID, let id = row.id, let credits = row.credits,
      let perUnit = row.creditsPerUnit, let code = row.productCode
    else { return nil }
    var ext = Self.common(row)
    let isApple = purchase.vendor == .apple
    ext[isApple ? "bundle_id" : "package_name"] = .string(purchase.bundleID)
    ext["product_code"] = .string(code)
    ext[isApple ? "app_store_product_id" : "google_play_product_id"] = .string(purchase.productID)
    ext["original_transaction_id"] = .string(purchase.originalTransactionID)
    ext["quantity"] = .integer(purchase.quantity)
    ext["credits_per_unit"] = .integer(perUnit)
    ext["purchase_date"] = .integer(Moment(purchase.purchaseDate).milliseconds)
    ext["app_account_token"] = purchase.appAccountToken.map {
      .string($0.uuidString.lowercased())
    }
    self.init(
      userID: user, environment: purchase.environment,
      eventID: LedgerEventID.purchase(purchase.transactionID), changeType: .purchase,
      subjectType: "payment", subjectID: String(id), amount: credits,
      metadata: ["ext": .object(ext)])
  }

  /// Creates the booking of a refund: the credits that it takes, as far as the balance has them.
  init?(
    clawingBack refunded: Int, of row: CreditTransaction, balance: Int,
    because notice: CreditNotice, eventID: String
  ) {
    guard let user = row.userID, let id = row.id, let credits = row.credits else { return nil }
    let clawedBack = max(0, min(refunded, balance))
    var ext = Self.common(row)
    ext["original_event_id"] = row.ledgerEventID.map { .string($0) }
    Self.add(notice, to: &ext)
    ext["original_amount"] = .integer(credits)
    ext["clawed_back"] = .integer(clawedBack)
    ext["shortfall"] = .integer(refunded - clawedBack)
    self.init(
      userID: user, environment: row.purchase.environment, eventID: eventID, changeType: .refund,
      subjectType: "payment", subjectID: String(id), amount: -clawedBack,
      metadata: ["ext": .object(ext)])
  }

  /// Creates the booking of a refund that stands when what was taken before it is given back, with its details.
  init(again refund: LedgerBooking, clawingBack refunded: Int, balance: Int, eventID: String) {
    let clawedBack = max(0, min(refunded, balance))
    self = refund
    self.eventID = eventID
    amount = -clawedBack
    guard case .object(var ext)? = metadata["ext"] else { return }
    ext["clawed_back"] = .integer(clawedBack)
    ext["shortfall"] = .integer(refunded - clawedBack)
    metadata["ext"] = .object(ext)
  }

  /// Creates the booking that gives back what the shares of a refund took; nil if there are none.
  init?(
    reversing shares: [LedgerBooking], of row: CreditTransaction, because notice: CreditNotice,
    round: Int
  ) {
    guard let refund = shares.first else { return nil }
    var ext = Self.common(row)
    ext["original_event_id"] = row.ledgerEventID.map { .string($0) }
    ext["reversed_event_id"] = .string(refund.eventID)
    Self.add(notice, to: &ext)
    ext["original_amount"] = refund.metadata["ext"]?["original_amount"]
    for name in ["clawed_back", "shortfall"] {
      let amounts = shares.compactMap { $0.detail(name) }
      ext[name] = amounts.isEmpty ? nil : .integer(amounts.saturatingSum)
    }
    self.init(
      userID: refund.userID, environment: refund.environment,
      eventID: LedgerEventID.refundReversal(row.purchase.transactionID, round: round),
      changeType: .refundReversal, subjectType: refund.subjectType, subjectID: refund.subjectID,
      amount: shares.map { Int(clamping: $0.amount.magnitude) }.saturatingSum,
      metadata: ["ext": .object(ext)])
  }

  /// Whether it takes back the credits of the period before a renewal that failed.
  var isOfFailedRenewal: Bool {
    metadata["ext"]?["notification_type"] == .string(NotificationType.didFailToRenew.rawValue)
  }

  private static func common(_ row: CreditTransaction) -> [String: JSONValue] {
    [
      "provider": .string(row.purchase.vendor == .apple ? "apple_iap" : "google_play"),
      "environment": .string(row.purchase.environment.rawValue),
      "transaction_id": .string(row.purchase.transactionID),
    ]
  }

  private static func add(_ notice: CreditNotice, to ext: inout [String: JSONValue]) {
    ext["notification_uuid"] =
      notice.notificationUUID.isEmpty ? nil : .string(notice.notificationUUID)
    ext["notification_type"] = .string(notice.type.rawValue)
    ext["revocation_date"] = notice.purchase.revocationDate.map {
      .integer(Moment($0).milliseconds)
    }
    ext["revocation_reason"] = notice.revocationReason.map { .integer($0.rawValue) }
    ext["revocation_percentage"] = notice.revocationPercentage.map { .integer($0) }
    ext["refunded_units"] = notice.refundedUnits.map { .integer($0) }
  }
}
