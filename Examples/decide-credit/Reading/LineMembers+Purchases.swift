import CreditPolicy
import Foundation
import JSONValues
import ReceiptModels
import StorekeeperToolSupport

// The claim of the client, and the purchase that Apple signed.
extension LineMembers {
  func claim() throws(LineFailure) -> GrantClaim {
    let claim = try required("claim", .object, try object("claim"))
    return GrantClaim(
      userID: try claim.required("userId", .string, try claim.accountID("userId")),
      productCode: try claim.neededText("productCode"),
      appStoreProductID: try claim.neededText("appStoreProductId"),
      transactionID: try claim.neededText("transactionId"),
      appAccountToken: try claim.value("appAccountToken", UUID.self))
  }

  func transaction() throws(LineFailure) -> Transaction {
    try required("transaction", .object, try value("transaction", Transaction.self))
  }

  /// The purchase that a transaction is about.
  func purchase(_ transaction: Transaction) throws(LineFailure) -> CreditPurchase {
    let members = try required("transaction", .object, try object("transaction"))
    let quantity = transaction.quantity ?? 1
    guard quantity >= 1 else {
      throw LineFailure(path: members.path("quantity"), error: "expected at least 1")
    }
    return CreditPurchase(
      environment: try members.required("environment", .string, transaction.environment),
      transactionID: try members.required("transactionId", .string, transaction.transactionID),
      originalTransactionID: transaction.originalTransactionID,
      bundleID: try members.required("bundleId", .string, transaction.bundleID),
      productID: try members.required("productId", .string, transaction.productID),
      quantity: quantity,
      purchaseDate: try members.required("purchaseDate", .number, transaction.purchaseDate),
      appAccountToken: transaction.appAccountToken, revocationDate: transaction.revocationDate)
  }

  /// The balance, 0 for a user without an account.
  func balance() throws(LineFailure) -> Int {
    let balance = try value("balance", Int.self) ?? 0
    guard balance >= 0 else {
      throw LineFailure(path: path("balance"), error: "expected at least 0")
    }
    return balance
  }

  /// The number that a new row gets.
  func nextID() throws(LineFailure) -> Int { try value("nextId", Int.self) ?? 1 }
}
