internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The values of credits that the laws write.
enum CreditSample {
  static let now = ContractSample.now

  static func transaction(
    _ id: String = "2000000900000001", environment: AppStoreEnvironment = .production,
    status: CreditTransaction.Status = .granted, of userID: AccountID? = "buyer"
  ) -> CreditTransaction {
    var row = CreditTransaction(
      CreditPurchase(
        environment: environment, transactionID: id, bundleID: "com.example.gems",
        productID: "com.example.gems.big", quantity: 3,
        purchaseDate: ContractSample.later(-0.001),
        appAccountToken: UUID(uuidString: "6B1A0A3E-0000-4000-8000-000000000001")),
      status: status)
    guard status.wasGranted else { return row }
    row.userID = userID
    row.productCode = "big_pack"
    row.creditsPerUnit = 500
    row.credits = 1500
    row.ledgerEventID = LedgerEventID.purchase(id)
    return row
  }

  static func booking(
    _ amount: Int, _ eventID: String, of userID: AccountID = "buyer",
    environment: AppStoreEnvironment? = nil
  ) -> LedgerBooking {
    LedgerBooking(
      userID: userID, environment: environment, eventID: eventID,
      changeType: LedgerBooking.ChangeType(rawValue: "bonus"), subjectType: "campaign",
      subjectID: "7", amount: amount)
  }

  static func notification(_ uuid: String) -> CreditNotification {
    CreditNotification(
      uuid: uuid, type: "REFUND", environment: .sandbox, transactionID: "2000000900000001",
      signedDate: ContractSample.later(-1.5), outcome: .clawedBack,
      processedDate: ContractSample.later(0.25))
  }
}

extension BookingResult {
  var entry: LedgerEntry? {
    if case .booked(let entry) = self { entry } else { nil }
  }
}

// Short forms that the laws share: each is a unit of work of its own.
extension PurchaseStore {
  @discardableResult
  func book(_ booking: LedgerBooking, now: Date = CreditSample.now) async throws -> BookingResult {
    try await write { try await $0.creditLedger.book(booking, now: now) }
  }

  @discardableResult
  func book(_ amount: Int, _ eventID: String, of userID: AccountID = "buyer") async throws
    -> BookingResult
  {
    try await book(CreditSample.booking(amount, eventID, of: userID))
  }

  /// Books unless the event was booked before.
  func bookOnce(_ booking: LedgerBooking) async throws -> Bool {
    do {
      return try await book(booking).entry != nil
    } catch StorageFailure.duplicate(.ledgerEvent) {
      return false
    }
  }

  func balance(of userID: AccountID = "buyer") async throws -> Int {
    try await read { try await $0.creditLedger.balance(of: userID) }
  }

  func count(of userID: AccountID = "buyer") async throws -> Int {
    try await read { try await $0.creditLedger.count(of: userID) }
  }

  func entry(
    _ eventID: String, environment: AppStoreEnvironment? = nil
  ) async throws -> LedgerEntry? {
    try await read { try await $0.creditLedger.entry(eventID: eventID, environment: environment) }
  }

  func creditTransaction(
    _ id: String = "2000000900000001", environment: AppStoreEnvironment = .production
  ) async throws -> CreditTransaction? {
    try await read {
      try await $0.creditTransactions.find(transactionID: id, environment: environment)
    }
  }

  @discardableResult
  func insert(_ transaction: CreditTransaction) async throws -> CreditTransaction {
    let stored = try await write {
      try await $0.creditTransactions.insert(transaction, now: CreditSample.now)
    }
    return try unwrap("the inserted transaction", stored)
  }

  func mark(
    _ identity: String, userID: AccountID = "buyer", transactionID: String = "2000000900000001"
  ) async throws -> Bool {
    try await write {
      try await $0.starterClaims.mark(
        identity: identity, userID: userID, transactionID: transactionID, now: CreditSample.now)
    }
  }

  func claim(_ identity: String) async throws -> StarterClaim? {
    try await read { try await $0.starterClaims.find(identity: identity) }
  }

  func record(_ notification: CreditNotification) async throws -> Bool {
    try await write { try await $0.creditNotifications.record(notification) }
  }

  func creditNotification(_ uuid: String) async throws -> CreditNotification? {
    try await read { try await $0.creditNotifications.find(uuid: uuid) }
  }

  /// The balance is the sum of the user's entries, each entry has the balance after it, and all of them
  /// are at least 0.
  func expectExplained(_ userID: AccountID = "buyer") async throws {
    let (balance, entries) = try await read { records in
      (
        try await records.creditLedger.balance(of: userID),
        try await records.creditLedger.entries(of: userID, skipping: 0, limit: 10_000)
      )
    }
    var sum = 0
    for entry in entries.reversed() {
      sum += entry.booking.amount
      try expect("the balance after entry \(entry.id)", entry.balanceAfter, is: sum)
      try expect("a balance of at least 0", sum >= 0)
    }
    try expect("the balance", balance, is: sum)
  }
}
