import CreditPolicy
import Foundation
import ReceiptModels

// The users, packs and purchases of these tests, which are those of the credit rules, section 9.

let token = uuid("6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a10")
let otherToken = uuid("11111111-0c1e-4f57-9a55-0d3b1c7e9a10")

func uuid(_ text: String) -> UUID {
  guard let uuid = UUID(uuidString: text) else { preconditionFailure("a test has a bad UUID") }
  return uuid
}

/// A moment in milliseconds since 1970.
func moment(_ milliseconds: Int) -> Date {
  Date(timeIntervalSince1970: Double(milliseconds) / 1000)
}

extension CreditProduct {
  static let welcome = CreditProduct(
    code: "welcome_pack", appStoreProductID: "com.example.gems.welcome", credits: 60,
    type: .starter)
  static let big = CreditProduct(
    code: "big_pack", appStoreProductID: "com.example.gems.big", credits: 500)
}

extension CreditPurchase {
  /// The transaction X of a pack, or another one.
  static func of(
    _ product: CreditProduct = .welcome, _ transactionID: String = "2000000900000001"
  ) -> CreditPurchase {
    CreditPurchase(
      environment: .production, transactionID: transactionID, bundleID: "com.example.gems",
      productID: product.appStoreProductID, purchaseDate: moment(1_700_000_000_123))
  }
}

extension CreditTransaction {
  /// The stored transaction of a purchase, whose pack gave credits to a user if the state says so.
  static func stored(
    _ status: Status, of user: AccountID = "u1", _ product: CreditProduct = .welcome,
    purchase: CreditPurchase? = nil, round: Int = 0, last: Date? = nil
  ) -> CreditTransaction {
    let purchase = purchase ?? .of(product)
    var row = CreditTransaction(purchase, status: status)
    row.id = 41
    row.refundRound = round
    row.lastEventSignedDate = last
    if status.wasGranted {
      row.userID = user
      row.productCode = product.code
      row.creditsPerUnit = product.credits
      row.credits = product.credits * purchase.quantity
      row.ledgerEventID = "payment.apple_iap:" + purchase.transactionID
    }
    return row
  }
}

extension GrantClaim {
  static func of(
    _ user: AccountID = "u1", _ product: CreditProduct = .welcome,
    _ transactionID: String = "2000000900000001"
  ) -> GrantClaim {
    GrantClaim(
      userID: user, productCode: product.code, appStoreProductID: product.appStoreProductID,
      transactionID: transactionID)
  }
}

/// A call of verify beside all that is stored; good, unless a test spoils it.
struct GrantCase {
  var product: CreditProduct? = .welcome
  var claim = GrantClaim.of()
  var purchase = CreditPurchase.of()
  var hostToken: UUID?
  var stored: CreditTransaction?
  var isStarterUsed = false
  var balance = 100

  init(_ change: (inout GrantCase) -> Void = { _ in }) { change(&self) }

  var proposal: GrantProposal {
    GrantProposal(claim: claim, product: product, purchase: purchase, hostToken: hostToken)
  }

  var decision: GrantDecision {
    proposal.decision(stored: stored, isStarterUsed: isStarterUsed, balance: balance)
  }
}

extension CreditNotice {
  static func of(
    _ type: NotificationType, signed: Date = moment(1_700_000_600_000),
    purchase: CreditPurchase = .of()
  ) -> CreditNotice {
    CreditNotice(
      type: type, notificationUUID: "0d5a3a52-0c1e-4f57-9a55-0d3b1c7e9a10", signedDate: signed,
      purchase: purchase)
  }
}
