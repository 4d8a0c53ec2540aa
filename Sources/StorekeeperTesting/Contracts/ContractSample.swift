internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var value = value
  change(&value)
  return value
}

/// The values that the laws write.
enum ContractSample {
  /// The subscription of most laws.
  static let id = "1000000000000001"
  static let now = Date(timeIntervalSince1970: 1_605_340_800)
  static let today = CalendarDay(now)

  /// So many seconds after ``now``, to the millisecond, as a date made from milliseconds.
  static func later(_ seconds: Double) -> Date {
    Date(timeIntervalSince1970: (1_605_340_800_000 + (seconds * 1000).rounded()) / 1000)
  }

  /// So many days after ``now``.
  static func days(_ days: Double) -> Date { later(days * 86_400) }

  static func subscription(
    _ id: String = ContractSample.id, expires: Date = days(30), autoRenewal: Bool = true,
    environment: AppStoreEnvironment = .production
  ) -> Subscription {
    Subscription(
      environment: environment, originalTransactionID: id, lastTransactionID: id,
      productID: "com.example.standard.month", purchaseDate: days(-1), expiresDate: expires,
      tier: .standard, cycle: .month, autoRenewal: autoRenewal)
  }

  static func account(_ primaryID: AccountID?, secondID: AccountID? = nil) throws -> Account {
    guard let account = Account(primaryID: primaryID, secondID: secondID) else {
      throw AccountFailure.missing
    }
    return account
  }

  static func membership(_ primaryID: AccountID?, secondID: AccountID? = nil) throws -> Membership {
    var row = Membership(account: try account(primaryID, secondID: secondID))
    row.tier = .standard
    row.cycle = .year
    row.expireDate = today
    return row
  }

  static func appleMembership(_ primaryID: AccountID, of originalTransactionID: String) throws
    -> Membership
  {
    var row = try membership(primaryID)
    row.payMethod = .apple
    row.originalTransactionID = originalTransactionID
    return row
  }

  static func transaction(
    _ id: String = "2000000000000001", of original: String = ContractSample.id, signed: Date?,
    expires: Date = days(30)
  ) -> PurchaseRecord {
    var record = PurchaseRecord(
      transactionID: id, originalTransactionID: original, productID: "com.example.standard.month")
    record.environment = .production
    record.purchaseDate = days(-1)
    record.originalPurchaseDate = days(-31)
    record.expiresDate = expires
    record.signedDate = signed
    return record
  }

  static func renewal(
    _ product: String, of original: String = ContractSample.id, willRenew: Bool = true,
    isInBillingRetry: Bool = false
  ) -> RenewalRecord {
    var record = RenewalRecord(originalTransactionID: original)
    record.productID = product
    record.autoRenewProductID = product
    record.willRenew = willRenew
    record.isInBillingRetry = isInBillingRetry
    return record
  }

  static func receipt(
    _ text: String, of id: String = ContractSample.id, asOf: Date = now,
    environment: AppStoreEnvironment = .production
  ) -> StoredReceipt {
    StoredReceipt(originalTransactionID: id, environment: environment, receipt: text, asOf: asOf)
  }

  static func notification(_ key: String) -> NotificationRecord {
    NotificationRecord(key: key, environment: .production, notificationType: "DID_RENEW")
  }

  static func message(_ id: String = ContractSample.id, to primaryID: String = "member") throws
    -> OutboxMessage
  {
    OutboxMessage(
      kind: .link, account: try account(AccountID(stored: primaryID)), originalTransactionID: id,
      tier: .standard, expireDate: today, isAlreadyExpired: false)
  }

  static func session(_ requestDate: Date = now) -> VerificationSession {
    VerificationSession(
      environment: .production, originalTransactionID: id,
      transactionID: "2000000000000001", requestDate: requestDate, responseStatus: 0)
  }

  static func leaseRequest(
    _ token: String, at now: Date = now, limit: Int = 50, until: Date = later(600)
  ) -> RefreshLeaseRequest {
    RefreshLeaseRequest(
      now: now, horizon: now.addingTimeInterval(3 * 86_400),
      oldest: now.addingTimeInterval(-60 * 86_400), limit: limit, token: token, until: until)
  }
}
