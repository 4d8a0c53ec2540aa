import CreditPolicy
import Foundation
import ReceiptModels
import Testing

/// A fault that can be combined with every other one, in the order of the checks.
enum Fault: Int, CaseIterable, Comparable {
  case unknownProduct, disabledProduct
  case clientsProduct, signedProduct
  case transactionID, accountToken, hostsToken
  case signedRevocation, refundedRow, pendingRow
  case othersRow, productOfRow, bundleOfRow
  case starter
  case amount, balance

  static func < (one: Fault, other: Fault) -> Bool { one.rawValue < other.rawValue }

  var refusal: GrantRefusal {
    switch self {
    case .unknownProduct, .disabledProduct: .productNotFound
    case .clientsProduct, .signedProduct: .productMismatch
    case .transactionID: .transactionIDMismatch
    case .accountToken, .hostsToken: .appAccountTokenMismatch
    case .signedRevocation, .refundedRow, .pendingRow: .revoked
    case .othersRow, .productOfRow, .bundleOfRow: .conflict
    case .starter: .starterIneligible
    case .amount, .balance: .amountOutOfRange
    }
  }

  func spoil(_ scene: inout GrantCase) {
    switch self {
    case .unknownProduct: scene.product = nil
    case .disabledProduct: scene.product?.isEnabled = false
    case .clientsProduct: scene.claim.appStoreProductID = "com.example.gems.big"
    case .signedProduct: scene.purchase.productID = "com.example.gems.huge"
    case .transactionID: scene.claim.transactionID = "2000000900000002"
    case .accountToken: scene.claim.appAccountToken = otherToken
    case .hostsToken:
      scene.purchase.appAccountToken = token
      scene.hostToken = otherToken
    case .signedRevocation: scene.purchase.revocationDate = moment(1)
    case .refundedRow: scene.row { $0.status = .refunded }
    case .pendingRow: scene.row { $0.status = .revokedPending }
    case .othersRow:
      scene.row {
        if $0.status == .open { $0.status = .granted }
        $0.userID = "u2"
        $0.ledgerEventID = "payment.apple_iap:2000000900000001"
      }
    case .productOfRow: scene.row { $0.purchase.productID = "com.example.gems.old" }
    case .bundleOfRow: scene.row { $0.purchase.bundleID = "com.example.old" }
    case .starter: scene.isStarterUsed = true
    case .amount: scene.purchase.quantity = .max
    case .balance: scene.balance = .max
    }
  }
}

extension GrantCase {
  fileprivate mutating func row(_ change: (inout CreditTransaction) -> Void) {
    var row = stored ?? .stored(.open)
    change(&row)
    stored = row
  }
}

@Suite("The order of the checks")
struct GrantOrderTests {
  @Test("answers each fault alone", arguments: Fault.allCases)
  func alone(fault: Fault) {
    #expect(GrantCase { fault.spoil(&$0) }.decision == .refuse(fault.refusal))
  }

  @Test("answers the earlier of two faults", arguments: Fault.allCases, Fault.allCases)
  func pairs(one: Fault, other: Fault) {
    let scene = GrantCase {
      one.spoil(&$0)
      other.spoil(&$0)
    }
    #expect(scene.decision == .refuse(min(one, other).refusal))
  }

  @Test("answers the earliest of all faults from one on", arguments: Fault.allCases)
  func all(first: Fault) {
    let scene = GrantCase { scene in
      for fault in Fault.allCases where fault >= first { fault.spoil(&scene) }
    }
    #expect(scene.decision == .refuse(first.refusal))
  }

  /// A row with the product but of another app is of step 8 if its credits are the user's.
  @Test("answers a repeated call before every later fault that leaves the product (step 8)")
  func repeated() {
    let later = Fault.allCases.filter { $0 > .productOfRow }
    for fault in later {
      let scene = GrantCase {
        $0.stored = .stored(.granted)
        fault.spoil(&$0)
      }
      #expect(
        scene.decision == .alreadyGranted(ledgerEventID: "payment.apple_iap:2000000900000001"))
    }
    let scene = GrantCase { scene in
      scene.stored = .stored(.granted)
      for fault in later { fault.spoil(&scene) }
    }
    #expect(
      scene.decision == .alreadyGranted(ledgerEventID: "payment.apple_iap:2000000900000001"))
  }

  @Test("answers every earlier fault, and a row of another product, before a repeated call")
  func beforeRepeated() {
    for fault in Fault.allCases where fault <= .productOfRow {
      let scene = GrantCase {
        $0.stored = .stored(.granted)
        fault.spoil(&$0)
      }
      #expect(scene.decision == .refuse(fault.refusal))
    }
  }

  @Test("needs no stored record for the steps 3, 5 and 6", arguments: Fault.allCases)
  func objections(fault: Fault) {
    let objection = GrantCase { fault.spoil(&$0) }.proposal.objection
    #expect(objection == (fault <= .hostsToken ? fault.refusal : nil))
  }
}
