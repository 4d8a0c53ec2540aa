import CreditPolicy
import Foundation
import JSONValues
import ReceiptModels

/// The JSON of a row of table `apple_iap_transactions`, with null for nil.
///
/// Source: credit rules, section 5.
struct TransactionBody: FieldModel {
  var row: CreditTransaction
  /// The text of the state; the row has it only if it is one.
  var status = ""
  var additionalMembers: [String: JSONValue] = [:]

  init() {
    row = CreditTransaction(
      CreditPurchase(
        environment: .production, transactionID: "", bundleID: "", productID: "",
        purchaseDate: Date(timeIntervalSince1970: 0)), status: .open)
  }

  init(_ row: CreditTransaction) {
    self.row = row
    status = row.status.rawValue
  }

  mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.nullable("id", &row.id)
    var user = row.userID?.rawValue
    try coder.nullable("user_id", &user)
    row.userID = user.map(AccountID.init(stored:))
    try coder.required("environment", &row.purchase.environment)
    try coder.required("transaction_id", &row.purchase.transactionID)
    if coder.direction == .reading {
      row.purchase.originalTransactionID = row.purchase.transactionID
    }
    try coder.preset("original_transaction_id", &row.purchase.originalTransactionID)
    try coder.required("bundle_id", &row.purchase.bundleID)
    try coder.required("product_id", &row.purchase.productID)
    try coder.nullable("product_code", &row.productCode)
    try coder.preset("quantity", &row.purchase.quantity)
    try coder.nullable("credits", &row.credits)
    try coder.nullable("credits_per_unit", &row.creditsPerUnit)
    try coder.required("status", &status)
    try coder.nullable("app_account_token", &row.purchase.appAccountToken)
    try coder.required("purchase_date", &row.purchase.purchaseDate)
    try coder.nullable("ledger_event_id", &row.ledgerEventID)
    try coder.preset("refund_round", &row.refundRound)
    try coder.nullable("last_event_signed_at", &row.lastEventSignedDate)
  }
}

extension FieldCoder {
  /// Reads or writes a value, with null for nil.
  fileprivate mutating func nullable<Value: FieldValue>(
    _ name: String, _ value: inout Value?
  ) throws(FieldTypeFailure) {
    try self(name, &value)
    if direction == .writing && value == nil { members[name] = .null }
  }
}
