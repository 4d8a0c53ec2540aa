import CreditPolicy
import Foundation
import ReceiptModels

/// The tables of the credit rules as Markdown, each row decided anew.
enum RuleTables {
  static var markdown: String {
    """
    # Credits of purchases and refunds

    A pack of 60 credits is verified by user u1, whose balance is 100. Transactions are signed by Apple
    and about this pack. The rows of other products or apps are of u1, too.

    ## Account tokens

    | token in the request | token in the JWS | host's token for the user | decision | reason |
    | --- | --- | --- | --- | --- |
    \(TokenRow.all.map(\.markdown).joined(separator: "\n"))

    ## Stored transactions

    | row | purchase | identity's starter pack | decision | code |
    | --- | --- | --- | --- | --- |
    \(StoredRow.all.map(\.markdown).joined(separator: "\n"))

    ## Notifications

    Of what was given, 25 credits are left; an open refund took 25.

    | type | row | outcome | row afterwards | refund round | amount | event |
    | --- | --- | --- | --- | --- | --- | --- |
    \(NewsRow.all.map(\.markdown).joined(separator: "\n"))

    """
  }

  static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}

/// The parts that the rows of the tables are made of.
enum TableScene {
  static let product = CreditProduct(
    code: "welcome_pack", appStoreProductID: "com.example.gems.welcome", credits: 60,
    type: .starter)
  static let claim = GrantClaim(
    userID: "u1", productCode: product.code, appStoreProductID: product.appStoreProductID,
    transactionID: purchase.transactionID)
  static let purchase = CreditPurchase(
    environment: .production, transactionID: "2000000900000001", bundleID: "com.example.gems",
    productID: product.appStoreProductID, purchaseDate: date)
  static let date = Date(timeIntervalSince1970: 1_700_000_000)

  /// The stored row, which has an owner if credits were given.
  static func stored(_ status: CreditTransaction.Status, of user: AccountID) -> CreditTransaction {
    var row = CreditTransaction(purchase, status: status)
    row.id = 1
    guard status.wasGranted else { return row }
    row.userID = user
    row.productCode = product.code
    row.creditsPerUnit = product.credits
    row.credits = product.credits
    row.ledgerEventID = LedgerEventID.purchase(purchase.transactionID)
    return row
  }

  /// News of a type, newer than what is stored.
  static func news(_ type: NotificationType) -> CreditNotice {
    CreditNotice(
      type: type, notificationUUID: "6f1c3a52-0c1e-4f57-9a55-0d3b1c7e9a10",
      signedDate: date.addingTimeInterval(60), purchase: purchase)
  }
}
