import CreditPolicy
import Foundation
import LinkPolicy
import PurchaseStorage
import ReceiptModels

/// 2020-11-14T08:00:00Z.
let now = Date(timeIntervalSince1970: 1_605_340_800)
let day: TimeInterval = 86_400
let hour: TimeInterval = 3_600

func subscription(_ id: String, expires: Date = now + 30 * day) -> Subscription {
  Subscription(
    environment: .production, originalTransactionID: id, lastTransactionID: id,
    productID: "com.example.reader.monthly", purchaseDate: now, expiresDate: expires,
    tier: .standard, cycle: .month, autoRenewal: true)
}

func membership(_ primaryID: AccountID, secondID: AccountID? = nil, apple: String? = nil)
  -> Membership
{
  var row = Membership(account: Account(id: primaryID, secondID: secondID))
  row.tier = .standard
  row.cycle = .month
  row.expireDate = CalendarDay("2020-12-14")
  row.payMethod = .apple
  row.autoRenew = true
  row.originalTransactionID = apple
  return row
}

extension PurchaseStore {
  /// Stores subscriptions with these ids.
  func save(_ ids: String...) async throws {
    try await write { records in
      for id in ids {
        try await records.storedSubscriptions.save(subscription(id), asOf: now, now: now)
      }
    }
  }

  /// The ids of the stored subscriptions among these.
  func stored(_ ids: [String]) async throws -> [String] {
    try await read { records in
      try await records.storedSubscriptions.find(ids).map(\.subscription.originalTransactionID)
    }
  }
}

extension PurchaseStore {
  /// Books an amount for a user, and returns the balance after it.
  func book(_ amount: Int) async throws -> Int? {
    try await write { records in
      let number = try await records.creditLedger.count(of: "buyer")
      let booking = LedgerBooking(
        userID: "buyer", eventID: "event-\(number)",
        changeType: LedgerBooking.ChangeType(rawValue: "bonus"), subjectType: "campaign",
        subjectID: "7",
        amount: amount)
      let result = try await records.creditLedger.book(booking, now: now)
      guard case .booked(let entry) = result else { return nil }
      return entry.balanceAfter
    }
  }
}

extension PurchaseStore {
  /// Associates a purchase with Ann.
  func associate(_ id: String) async throws {
    let row = PurchaseAssociation(
      environment: .production, originalTransactionID: id, userID: "ann", bundleID: "app",
      associatedDate: now, evidence: .receipt)
    try await write { _ = try await $0.associations.add([row]) }
  }

  /// The user that owns a purchase.
  func owner(of id: String) async throws -> AccountID? {
    try await read { try await $0.associations.find([id], environment: .production).first?.userID }
  }
}
