internal import CreditPolicy
internal import GooglePlayVerifier
internal import JSONValues
internal import OrderPolicy
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The members of an event's `data`, which are written and read here, and nowhere else.
struct EventFields {
  private(set) var members: [String: JSONValue]

  init(_ members: [String: JSONValue] = [:]) { self.members = members }

  func text(_ name: String) -> String? {
    guard case .string(let text)? = members[name] else { return nil }
    return text
  }

  func integer(_ name: String) -> Int? {
    guard case .integer(let number)? = members[name] else { return nil }
    return number
  }

  func flag(_ name: String) -> Bool? {
    guard case .boolean(let flag)? = members[name] else { return nil }
    return flag
  }

  func date(_ name: String) -> Date? { Self.date(members[name]) }

  func account(_ name: String) -> AccountID? { text(name).map(AccountID.init(stored:)) }

  func environment(_ name: String) -> AppStoreEnvironment? {
    text(name).map(AppStoreEnvironment.init(rawValue:))
  }

  mutating func set(_ name: String, _ text: String?) {
    members[name] = text.map { .string($0) } ?? .null
  }

  mutating func set(_ name: String, _ date: Date?) {
    members[name] = date.map(Self.json) ?? .null
  }

  mutating func set(_ name: String, _ flag: Bool?) {
    members[name] = flag.map { .boolean($0) } ?? .null
  }

  mutating func set(_ name: String, _ number: Int) { members[name] = .integer(number) }

  /// The form of dates: RFC 3339 in UTC, with milliseconds.
  static func json(_ date: Date) -> JSONValue {
    .string(RFC3339Time(date, fractionDigits: 3).text)
  }

  /// The members that name another account than that of the event.
  static let otherAccounts = ["otherAccount", "owner"]

  /// A member with an account, as it stands in the fields of a stored event.
  static func member(_ name: String, _ account: AccountID) -> String {
    let text = JSONValue.object([name: .string(account.rawValue)]).serialized
    return String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
  }

  static func date(_ json: JSONValue?) -> Date? {
    guard case .string(let text)? = json else { return nil }
    return Date(timestamp: text)
  }
}

extension PurchaseEvent.Details {
  /// The members of the fields, by the names of the API's description.
  var members: [String: JSONValue] {
    var fields = EventFields()
    switch self {
    case .membership(let change): change.write(&fields)
    case .purchase(let change): change.write(&fields)
    case .credits(let change): change.write(&fields)
    case .order(let change): change.write(&fields)
    case .move(let move):
      fields.set("environment", move.environment.rawValue)
      fields.set("originalTransactionId", move.originalTransactionID)
      fields.set("otherAccount", move.otherAccount.rawValue)
    case .entitlement(let change): fields.set("bundleId", change.bundleID)
    case .dispute(let dispute):
      fields.set("originalTransactionId", dispute.originalTransactionID)
      fields.set("owner", dispute.owner?.rawValue)
    case .notice(let notice):
      fields.set("originalTransactionId", notice.originalTransactionID)
      fields.set("reference", notice.reference)
      fields.set("deadline", notice.deadline)
    case .notification(let notification):
      fields.set("key", notification.key)
      fields.set("environment", notification.environment?.rawValue)
      fields.set("path", notification.path)
    case .erasure(let notice): fields.set("reference", notice.reference)
    case .other(let members): return members
    }
    return fields.members
  }

  /// Reads the fields of a type; those of a type that is not known, or in which one is missing, stay as they are.
  init(_ fields: EventFields, of kind: PurchaseEvent.Kind) {
    self = Self.known(fields, of: kind) ?? .other(fields.members)
  }

  private static func known(
    _ fields: EventFields, of kind: PurchaseEvent.Kind
  ) -> PurchaseEvent.Details? {
    typealias Kind = PurchaseEvent.Kind
    if Kind.memberships.contains(kind) { return .membership(MembershipChange(fields)) }
    if Kind.purchases.contains(kind) { return PurchaseChange(fields).map { .purchase($0) } }
    if Kind.orders.contains(kind) { return OrderChange(fields).map { .order($0) } }
    if Kind.credits.contains(kind) { return CreditChange(fields).map { .credits($0) } }
    let id = fields.text("originalTransactionId")
    if Kind.notices.contains(kind) {
      return id.map {
        .notice(
          StoreNotice(
            originalTransactionID: $0, reference: fields.text("reference"),
            deadline: fields.date("deadline")))
      }
    }
    switch kind {
    case .purchaseMoved, .purchaseMovedAway:
      guard let id, let environment = fields.environment("environment"),
        let other = fields.account("otherAccount")
      else { return nil }
      return .move(
        PurchaseMove(environment: environment, originalTransactionID: id, otherAccount: other))
    case .accountErased: return .erasure(ErasureNotice(reference: fields.text("reference")))
    case .entitlementChanged:
      return fields.text("bundleId").map { .entitlement(EntitlementChange(bundleID: $0)) }
    case .disputeRecorded:
      return id.map {
        .dispute(ClaimDispute(originalTransactionID: $0, owner: fields.account("owner")))
      }
    case .notificationNotDecoded:
      guard let key = fields.text("key"), let path = fields.text("path") else { return nil }
      return .notification(
        UnreadNotification(
          key: key, environment: fields.environment("environment"), path: path))
    default: return nil
    }
  }
}

extension MembershipChange {
  fileprivate func write(_ fields: inout EventFields) {
    fields.set("originalTransactionId", originalTransactionID)
    fields.set("tier", tier?.rawValue)
    fields.set("lastDay", lastDay?.description)
    fields.set("previousLastDay", previousLastDay?.description)
    fields.set("renews", renews)
  }

  fileprivate init(_ fields: EventFields) {
    self.init(
      originalTransactionID: fields.text("originalTransactionId"),
      tier: fields.text("tier").map(Tier.init(rawValue:)),
      lastDay: fields.text("lastDay").flatMap { CalendarDay($0) },
      previousLastDay: fields.text("previousLastDay").flatMap { CalendarDay($0) },
      renews: fields.flag("renews") ?? false)
  }
}

extension PurchaseChange {
  fileprivate func write(_ fields: inout EventFields) {
    fields.set("vendor", vendor.rawValue)
    fields.set("environment", environment.rawValue)
    fields.set("originalTransactionId", originalTransactionID)
    fields.set("transactionId", transactionID)
    fields.set("productId", productID)
    fields.set("previousProductId", previousProductID)
    fields.set("expiresAt", expiresDate)
    fields.set("gracePeriodEndsAt", gracePeriodEnd)
    fields.set("renews", renews)
    fields.set("revokedAt", revocationDate)
  }

  fileprivate init?(_ fields: EventFields) {
    guard let environment = fields.environment("environment"),
      let original = fields.text("originalTransactionId"),
      let transaction = fields.text("transactionId"), let product = fields.text("productId")
    else { return nil }
    self.init(
      environment: environment, originalTransactionID: original, transactionID: transaction,
      productID: product)
    previousProductID = fields.text("previousProductId")
    expiresDate = fields.date("expiresAt")
    gracePeriodEnd = fields.date("gracePeriodEndsAt")
    renews = fields.flag("renews")
    revocationDate = fields.date("revokedAt")
  }
}

extension CreditChange {
  fileprivate func write(_ fields: inout EventFields) {
    fields.set("amount", amount)
    fields.set("balance", balance)
    fields.set("entryId", entryID)
    fields.set("changeType", changeType.rawValue)
    fields.set("environment", environment?.rawValue)
    fields.set("subjectType", subjectType)
    fields.set("subjectId", subjectID)
  }

  fileprivate init?(_ fields: EventFields) {
    guard let amount = fields.integer("amount"), let balance = fields.integer("balance"),
      let entry = fields.text("entryId"), let type = fields.text("changeType"),
      let subject = fields.text("subjectType"), let subjectID = fields.text("subjectId")
    else { return nil }
    self.init(
      amount: amount, balance: balance, entryID: entry,
      changeType: LedgerBooking.ChangeType(rawValue: type), subjectType: subject,
      subjectID: subjectID)
    environment = fields.environment("environment")
  }
}

extension OrderChange {
  fileprivate func write(_ fields: inout EventFields) {
    fields.set("vendor", vendor.rawValue)
    fields.set("environment", environment.rawValue)
    fields.set("purchaseId", purchaseID)
    fields.set("level", level)
    fields.set("expiresAt", expiresDate)
  }

  fileprivate init?(_ fields: EventFields) {
    guard let vendor = fields.text("vendor"), let purchase = fields.text("purchaseId"),
      let environment = fields.environment("environment"), let level = fields.text("level"),
      let end = fields.date("expiresAt")
    else { return nil }
    self.init(
      vendor: Vendor(rawValue: vendor), environment: environment, purchaseID: purchase,
      level: level, expiresDate: end)
  }
}
