internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension CreditTransaction {
  /// Reads the number, the columns of the key and those of the values.
  init(row: SQLRow) throws {
    self = .blank
    id = row.first?.number
    let key = SQLColumns.creditTransactionKey
    key.read(row, from: 1, into: &self)
    SQLColumns.creditTransaction.read(row, from: 1 + key.count, into: &self)
    guard let status = row.last?.name.flatMap(Status.init(rawValue:)) else {
      throw StorageFailure.database(code: 0, detail: "a credit transaction of an unknown status")
    }
    self.status = status
  }

  fileprivate static var blank: CreditTransaction {
    CreditTransaction(
      CreditPurchase(
        environment: .production, transactionID: "", bundleID: "", productID: "",
        purchaseDate: StoredMoment.date(seconds: 0)),
      status: .open)
  }
}

extension SQLColumns<CreditTransaction> {
  /// The columns of `apple_iap_transactions` that never change.
  static let creditTransactionKey = SQLColumns(
    .blank
  ) { row, column in
    column.verbatim("environment", &row.purchase.environment)
    column.text("transaction_id", &row.purchase.transactionID)
  }

  /// The other columns of `apple_iap_transactions`, except the dates of the row.
  static let creditTransaction = SQLColumns(
    .blank
  ) { row, column in
    column.accountID("user_id", &row.userID)
    column.text("original_transaction_id", &row.purchase.originalTransactionID)
    column.text("bundle_id", &row.purchase.bundleID)
    column.text("product_id", &row.purchase.productID)
    column.name("product_code", &row.productCode)
    column.number("quantity", &row.purchase.quantity, default: 1)
    column.number("credits_per_unit", &row.creditsPerUnit)
    column.number("credits", &row.credits)
    column("app_account_token", .name(row.purchase.appAccountToken?.uuidString.lowercased())) {
      row.purchase.appAccountToken = $0.name.flatMap(UUID.init(uuidString:))
    }
    column.milliseconds("purchase_date", &row.purchase.purchaseDate)
    column.name("ledger_event_id", &row.ledgerEventID)
    column.number("refund_round", &row.refundRound)
    column.milliseconds("last_event_signed_at", &row.lastEventSignedDate)
    // Last, because a text that is no status is an error.
    column("status", .text(row.status.rawValue)) { _ in }
  }
}

extension SQLColumnVisit {
  /// An environment that is never null, as Apple writes it.
  mutating func verbatim(_ name: String, _ property: inout AppStoreEnvironment) {
    self(name, .text(property.rawValue)) {
      property = AppStoreEnvironment(rawValue: $0.name ?? "")
    }
  }
}
