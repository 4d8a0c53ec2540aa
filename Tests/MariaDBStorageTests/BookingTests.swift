import CreditPolicy
import Foundation
import MariaDBStorage
import PurchaseStorage
import ReceiptModels
import SQLStorage
import Testing

@Suite(.enabled(if: TestDatabase.isThere))
struct BookingTests {
  private let now = Date(timeIntervalSince1970: 1_605_340_800)

  // Those who wait for such an account would be in a deadlock when it is rolled back.
  @Test("no account is opened for an event that is booked")
  func noAccount() async throws {
    let now = now
    let store = try await TestDatabase().open(capabilities: [.credits])
    _ = try await store.write { try await $0.creditLedger.book(Self.booking(of: "one"), now: now) }
    let accounts = try await store.perform(.writing) { connection in
      let ledger = try SQLRecords(connection, access: .writing).unit.creditLedger
      await #expect(throws: StorageFailure.duplicate(.ledgerEvent)) {
        try await ledger.book(Self.booking(of: "two"), now: now)
      }
      return try await connection.run("SELECT user_id FROM credit_account")
    }
    #expect(accounts == [[.text("one")]])
    await store.close()
  }

  private static func booking(of userID: AccountID) -> LedgerBooking {
    LedgerBooking(
      userID: userID, environment: .production, eventID: "event",
      changeType: LedgerBooking.ChangeType(rawValue: "bonus"), subjectType: "campaign",
      subjectID: "7", amount: 60)
  }
}
