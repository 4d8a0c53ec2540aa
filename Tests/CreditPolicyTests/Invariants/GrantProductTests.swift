import CreditPolicy
import ReceiptModels
import Testing

/// The stored row of a combination.
private struct Row {
  var status: CreditTransaction.Status
  var isOwn: Bool
  var hasProduct: Bool
  var hasBundle: Bool

  static let all: [Row?] = [nil] + rows

  private static let rows = CreditTransaction.Status.allCases.flatMap { status in
    [true, false].flatMap { isOwn in
      [true, false].flatMap { hasProduct in
        [true, false].map {
          Row(status: status, isOwn: isOwn, hasProduct: hasProduct, hasBundle: $0)
        }
      }
    }
  }

  var stored: CreditTransaction {
    var row = CreditTransaction.stored(status, of: isOwn ? "u1" : "u2")
    if !hasProduct { row.purchase.productID = "com.example.gems.old" }
    if !hasBundle { row.purchase.bundleID = "com.example.old" }
    return row
  }
}

/// The answer that the steps of the credit rules, section 2, give.
private enum Expected: Equatable {
  case granted(Int)
  case alreadyGranted
  case refused(GrantRefusal)
}

@Suite("All cases of a grant")
struct GrantProductTests {
  /// The product: none, not for sale, a starter pack, a standard pack.
  private static let products: [CreditProduct?] = {
    var off = CreditProduct.welcome
    off.isEnabled = false
    var standard = CreditProduct.welcome
    standard.type = .standard
    return [nil, off, .welcome, standard]
  }()
  /// The quantity, the balance, and whether the sum fits in 64 bits.
  private static let amounts = [
    (1, 100, true), (3, Int.max - 180, true), (3, Int.max - 179, false), (Int.max, 0, false),
  ]

  @Test("are answered by the first step that decides", arguments: [true, false], [true, false])
  func product(clientIsRight: Bool, signedIsRight: Bool) {
    var count = 0
    for product in Self.products {
      for (isSame, isFitting, isRevoked) in flags {
        for row in Row.all {
          for isUsed in [true, false] {
            for (quantity, balance, fits) in Self.amounts {
              let scene = GrantCase {
                $0.product = product
                if !clientIsRight { $0.claim.appStoreProductID += "s" }
                if !signedIsRight { $0.purchase.productID += "s" }
                if !isSame { $0.claim.transactionID += "0" }
                if !isFitting { $0.claim.appAccountToken = token }
                if isRevoked { $0.purchase.revocationDate = moment(1) }
                $0.stored = row?.stored
                $0.isStarterUsed = isUsed
                $0.purchase.quantity = quantity
                $0.balance = balance
              }
              let expected: Expected =
                if product?.isEnabled != true {
                  .refused(.productNotFound)
                } else if !clientIsRight || !signedIsRight {
                  .refused(.productMismatch)
                } else if !isSame { .refused(.transactionIDMismatch) } else if !isFitting {
                  .refused(.appAccountTokenMismatch)
                } else if isRevoked || row?.isTakenBack == true {
                  .refused(.revoked)
                } else if row?.isRepetition == true {
                  .alreadyGranted
                } else if row?.isConflict == true {
                  .refused(.conflict)
                } else if isUsed, product?.type == .starter {
                  .refused(.starterIneligible)
                } else if !fits { .refused(.amountOutOfRange) } else { .granted(60 * quantity) }
              check(scene, expected)
              count += 1
            }
          }
        }
      }
    }
    #expect(count == 4 * 8 * 33 * 2 * 4)
  }

  /// Whether the transaction is the signed one, the tokens fit, and Apple signed a revocation date.
  private var flags: [(Bool, Bool, Bool)] {
    [true, false].flatMap { one in
      [true, false].flatMap { two in [true, false].map { (one, two, $0) } }
    }
  }

  private func check(_ scene: GrantCase, _ expected: Expected) {
    let decision = scene.decision
    switch decision {
    case .refuse(let refusal): hold(expected == .refused(refusal), scene)
    case .alreadyGranted(let event):
      hold(expected == .alreadyGranted && event == scene.stored?.ledgerEventID, scene)
    case .grant(let row):
      hold(row.credits.map(Expected.granted) == expected, scene)
      hold(row.status == .granted && row.userID == "u1" && row.id == scene.stored?.id, scene)
      // The same call again finds what it stored.
      var again = scene
      again.stored = row
      again.isStarterUsed = true
      hold(
        again.decision == .alreadyGranted(ledgerEventID: "payment.apple_iap:2000000900000001"),
        scene)
    }
  }
}

extension Row {
  fileprivate var isTakenBack: Bool { status == .refunded || status == .revokedPending }

  /// Whether the row is the user's own with the product (step 8).
  fileprivate var isRepetition: Bool { status == .granted && isOwn && hasProduct }

  /// Whether another user owns the row, or it is of another product or app (step 9).
  fileprivate var isConflict: Bool { (status == .granted && !isOwn) || !hasProduct || !hasBundle }
}
