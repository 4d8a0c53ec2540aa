import CreditPolicy
import JSONValues
import ReceiptModels
import Testing

@Suite("Entries in the ledger")
struct LedgerBookingTests {
  private func metadata(_ text: String) throws -> [String: JSONValue] {
    ["ext": try JSONValue(parsing: Array(text.utf8))]
  }

  @Test("have the identifiers of the table")
  func eventIDs() {
    #expect(LedgerEventID.purchase("7") == "payment.apple_iap:7")
    #expect(LedgerEventID.refund("7", round: 1) == "payment.apple_iap.refund:7")
    #expect(LedgerEventID.refund("7", round: 2) == "payment.apple_iap.refund:7:2")
    #expect(LedgerEventID.refundReversal("7", round: 1) == "payment.apple_iap.refund_reversed:7")
    #expect(
      LedgerEventID.refundReversal("7", round: 12) == "payment.apple_iap.refund_reversed:7:12")
  }

  @Test("of the host's own have no part that is reserved")
  func reserved() {
    typealias Part = LedgerBooking.ReservedPart
    let cases: [(String, LedgerBooking.ChangeType, AppStoreEnvironment?, Part?)] = [
      ("bonus:1", "bonus", nil, nil), ("payment.other:1", "purchases", nil, nil),
      ("bonus:1", "bonus", .sandbox, .environment),
      ("payment.apple_iap", "bonus", nil, .eventID),
      (LedgerEventID.refund("7", round: 2), "bonus", nil, .eventID),
      (LedgerEventID.refundReversal("7", round: 1), "refund", nil, .eventID),
      ("bonus:1", "purchase", nil, .changeType), ("bonus:1", "refund", nil, .changeType),
      ("bonus:1", "refund_reversal", nil, .changeType),
    ]
    for (event, type, environment, part) in cases {
      let booking = LedgerBooking(
        userID: "u1", environment: environment, eventID: event, changeType: type, subjectType: "x",
        subjectID: "1", amount: 1)
      #expect(booking.reservedPart == part)
    }
  }

  @Test("have the kinds of the table")
  func kinds() {
    #expect(
      LedgerBooking.ChangeType.allCases.map(\.rawValue) == [
        "purchase", "refund", "refund_reversal",
      ])
  }

  @Test("of a purchase have all members")
  func purchase() throws {
    var purchase = CreditPurchase.of()
    purchase.environment = .sandbox
    purchase.originalTransactionID = "2000000900000000"
    purchase.quantity = 3
    purchase.appAccountToken = token
    let row = CreditTransaction.stored(.granted, purchase: purchase)
    let expected = LedgerBooking(
      userID: "u1", environment: .sandbox, eventID: "payment.apple_iap:2000000900000001",
      changeType: .purchase, subjectType: "payment", subjectID: "41", amount: 180,
      metadata: try metadata(
        """
        {"provider":"apple_iap","environment":"Sandbox","bundle_id":"com.example.gems",
         "product_code":"welcome_pack","app_store_product_id":"com.example.gems.welcome",
         "transaction_id":"2000000900000001","original_transaction_id":"2000000900000000",
         "quantity":3,"credits_per_unit":60,"purchase_date":1700000000123,
         "app_account_token":"6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a10"}
        """))
    #expect(LedgerBooking(purchase: row) == expected)
  }

  @Test("of a purchase without account token lack that member only")
  func withoutToken() throws {
    let booking = try #require(LedgerBooking(purchase: .stored(.granted)))
    #expect(booking.ext("app_account_token") == nil)
    #expect(booking.ext("original_transaction_id") == .string("2000000900000001"))
    guard case .object(let ext)? = booking.metadata["ext"] else { throw NoObject() }
    #expect(ext.count == 10)
  }

  @Test("are not made of rows that were never granted or stored")
  func incomplete() {
    #expect(LedgerBooking(purchase: .stored(.open)) == nil)
    #expect(LedgerBooking(purchase: .stored(.revokedPending)) == nil)
    var row = CreditTransaction.stored(.granted)
    row.id = nil
    #expect(LedgerBooking(purchase: row) == nil)
  }

  /// The example of the credit rules, section 3.
  @Test("of a refund are as in the example")
  func refund() throws {
    var notice = CreditNotice.of(.refund)
    notice.notificationUUID = "6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a10"
    let expected = LedgerBooking(
      userID: "u1", environment: .production,
      eventID: "payment.apple_iap.refund:2000000900000001", changeType: .refund,
      subjectType: "payment", subjectID: "41", amount: -25,
      metadata: try metadata(
        """
        {"provider":"apple_iap","environment":"Production","transaction_id":"2000000900000001",
         "original_event_id":"payment.apple_iap:2000000900000001",
         "notification_uuid":"6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a10","notification_type":"REFUND",
         "original_amount":60,"clawed_back":25,"shortfall":35}
        """))
    #expect(try decide(notice, .stored(.granted), balance: 25).booking == expected)
  }

  @Test("of a refund have Apple's date, reason and percentage, each if present")
  func revocation() throws {
    var notice = CreditNotice.of(.revoke)
    notice.purchase.revocationDate = moment(1_700_000_500_250)
    notice.revocationReason = .issueInApp
    notice.revocationPercentage = 33_333
    let booking = try #require(try decide(notice, .stored(.granted)).booking)
    #expect(booking.ext("notification_type") == .string("REVOKE"))
    #expect(booking.ext("revocation_date") == .integer(1_700_000_500_250))
    #expect(booking.ext("revocation_reason") == .integer(1))
    #expect(booking.ext("revocation_percentage") == .integer(33_333))
    notice.revocationReason = nil
    let other = try #require(try decide(notice, .stored(.granted)).booking)
    #expect(other.ext("revocation_reason") == nil)
    #expect(other.ext("revocation_date") == .integer(1_700_000_500_250))
  }

  @Test("of a reversal repeat the refund's amounts and name its event")
  func reversal() throws {
    let refunded = try decide(.of(.refund), .stored(.granted), balance: 25)
    var notice = CreditNotice.of(.refundReversed)
    notice.notificationUUID = "another"
    let decision = try decide(notice, refunded.transaction, refund: refunded.booking)
    let expected = LedgerBooking(
      userID: "u1", environment: .production,
      eventID: "payment.apple_iap.refund_reversed:2000000900000001",
      changeType: .refundReversal, subjectType: "payment", subjectID: "41", amount: 25,
      metadata: try metadata(
        """
        {"provider":"apple_iap","environment":"Production","transaction_id":"2000000900000001",
         "original_event_id":"payment.apple_iap:2000000900000001",
         "reversed_event_id":"payment.apple_iap.refund:2000000900000001",
         "notification_uuid":"another","notification_type":"REFUND_REVERSED",
         "original_amount":60,"clawed_back":25,"shortfall":35}
        """))
    #expect(decision.booking == expected)
  }

  private struct NoObject: Error {}
}
