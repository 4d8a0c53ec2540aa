import CreditPolicy
import Foundation
import ReceiptModels
import Testing

@Suite("Granting credits")
struct GrantDecisionTests {
  private let event = "payment.apple_iap:2000000900000001"

  @Test("grants the credits of a pack, and says what to store (step 12)")
  func grants() {
    var expected = CreditTransaction(.of(), status: .granted)
    expected.userID = "u1"
    expected.productCode = "welcome_pack"
    expected.creditsPerUnit = 60
    expected.credits = 60
    expected.ledgerEventID = event
    #expect(GrantCase().decision == .grant(expected))
    #expect(expected.id == nil && expected.refundRound == 0)
  }

  @Test("grants credits for each unit")
  func quantity() throws {
    let scene = GrantCase {
      $0.product = .big
      $0.claim = .of("u1", .big)
      $0.purchase = .of(.big)
      $0.purchase.quantity = 3
    }
    let row = try scene.decision.granted
    #expect(row.credits == 1500)
    #expect(row.creditsPerUnit == 500)
    #expect(row.purchase.quantity == 3)
  }

  @Test("grants a transaction whose refund was taken back before, in its row")
  func open() throws {
    let scene = GrantCase { $0.stored = .stored(.open, last: moment(5)) }
    let row = try scene.decision.granted
    #expect(row == .stored(.granted, last: moment(5)))
  }

  @Test("stores the purchase as it is signed now, also in an open row")
  func freshPurchase() throws {
    let scene = GrantCase {
      $0.stored = .stored(.open)
      $0.purchase.quantity = 2
      $0.purchase.appAccountToken = token
    }
    let row = try scene.decision.granted
    #expect(row.purchase == scene.purchase)
    #expect(row.credits == 120)
  }

  @Test("answers a repeated call with the original event (step 8)")
  func repeated() {
    let scene = GrantCase { $0.stored = .stored(.granted) }
    #expect(scene.decision == .alreadyGranted(ledgerEventID: event))
  }

  @Test("answers a repeated call even if the starter pack is used, and the balance is full")
  func repeatedFirst() {
    let scene = GrantCase {
      $0.stored = .stored(.granted)
      $0.isStarterUsed = true
      $0.balance = .max
      $0.purchase.quantity = .max
    }
    #expect(scene.decision == .alreadyGranted(ledgerEventID: event))
  }

  @Test(
    "refuses what was taken back, whoever asks (step 7)",
    arguments: [CreditTransaction.Status.refunded, .revokedPending], [AccountID("u1"), "u2"])
  func revoked(status: CreditTransaction.Status, user: AccountID) {
    let scene = GrantCase {
      $0.claim.userID = user
      $0.stored = .stored(status)
    }
    #expect(scene.decision == .refuse(.revoked))
  }

  @Test(
    "refuses a signed revocation date, whatever is stored (step 7)",
    arguments: CreditTransaction.Status.allCases.map(Optional.some) + [nil])
  func signedRevocation(status: CreditTransaction.Status?) {
    let scene = GrantCase {
      $0.stored = status.map { .stored($0) }
      $0.purchase.revocationDate = moment(1)
    }
    #expect(scene.decision == .refuse(.revoked))
  }

  @Test("refuses another user's transaction (step 9)")
  func othersTransaction() {
    let scene = GrantCase { $0.stored = .stored(.granted, of: "u2") }
    #expect(scene.decision == .refuse(.conflict))
  }

  @Test(
    "refuses a row of another product (step 9)",
    arguments: [CreditTransaction.Status.granted, .open])
  func otherProduct(status: CreditTransaction.Status) {
    let scene = GrantCase {
      $0.stored = .stored(status)
      $0.stored?.purchase.productID = "com.example.gems.big"
    }
    #expect(scene.decision == .refuse(.conflict))
  }

  @Test(
    "refuses a row of another app, unless its credits are the user's (steps 8 and 9)",
    arguments: [
      (CreditTransaction.Status.granted, AccountID("u1"), false), (.granted, "u2", true),
      (.open, "u1", true),
    ])
  func otherApp(status: CreditTransaction.Status, owner: AccountID, isRefused: Bool) {
    let scene = GrantCase {
      $0.stored = .stored(status, of: owner)
      $0.stored?.purchase.bundleID = "com.example.other"
    }
    #expect(
      scene.decision
        == (isRefused ? .refuse(.conflict) : .alreadyGranted(ledgerEventID: event)))
  }

  @Test("refuses a second starter pack, but no other pack (step 10)")
  func starter() throws {
    #expect(GrantCase { $0.isStarterUsed = true }.decision == .refuse(.starterIneligible))
    let big = GrantCase {
      $0.isStarterUsed = true
      $0.product = .big
      $0.claim = .of("u1", .big)
      $0.purchase = .of(.big)
    }
    #expect(try big.decision.granted.credits == 500)
    let ofHost = GrantCase {
      $0.isStarterUsed = true
      $0.product?.type = CreditProductType(rawValue: "seasonal")
    }
    #expect(try ofHost.decision.granted.credits == 60)
  }

  @Test(
    "grants what fits in 64 bits, and no more (step 11)",
    arguments: [
      // credits, quantity, balance, fits
      (60, 1, Int.max - 60, true), (60, 1, Int.max - 59, false), (60, 1, Int.max, false),
      (1, Int.max, 0, true), (1, Int.max, 1, false),
      (2, Int.max / 2, 1, true), (2, Int.max / 2, 2, false), (2, Int.max / 2 + 1, 0, false),
      (1_000_000_000, 9_223_372_036, 0, true), (1_000_000_000, 9_223_372_037, 0, false),
      (1_000_000_000, Int.max, 0, false),
    ])
  func amounts(credits: Int, quantity: Int, balance: Int, fits: Bool) throws {
    let scene = GrantCase {
      $0.product?.credits = credits
      $0.purchase.quantity = quantity
      $0.balance = balance
    }
    if fits {
      #expect(try scene.decision.granted.credits == credits * quantity)
    } else {
      #expect(scene.decision == .refuse(.amountOutOfRange))
    }
  }

  @Test("never lowers a balance, whatever quantity comes", arguments: [0, -1, Int.min])
  func noUnits(quantity: Int) {
    let scene = GrantCase { $0.purchase.quantity = quantity }
    #expect(scene.decision == .refuse(.amountOutOfRange))
  }

  @Test("compares texts byte by byte")
  func bytes() {
    // é in one scalar, and in two.
    let composed = GrantCase {
      $0.product?.appStoreProductID = "caf\u{E9}"
      $0.claim.appStoreProductID = "cafe\u{301}"
      $0.purchase.productID = "caf\u{E9}"
    }
    #expect(composed.decision == .refuse(.productMismatch))
    let kelvin = GrantCase {
      $0.claim.transactionID = "K1"
      $0.purchase.transactionID = "\u{212A}1"
    }
    #expect(kelvin.decision == .refuse(.transactionIDMismatch))
    let upper = GrantCase {
      $0.claim.userID = "U1"; $0.stored = .stored(.granted)
    }
    #expect(upper.decision == .refuse(.conflict))
  }
}

extension GrantDecision {
  /// The transaction to store.
  var granted: CreditTransaction {
    get throws {
      guard case .grant(let row) = self else { throw Unexpected(decision: self) }
      return row
    }
  }

  struct Unexpected: Error { var decision: GrantDecision }
}
