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
    self.init(
      CreditPurchase(
        environment: .production, transactionID: "", bundleID: "", productID: "",
        purchaseDate: StoredMoment.date(seconds: 0)),
      status: .open)
    var values = row[...]
    id = values.popFirst()?.number
    let key = SQLColumns.creditTransactionKey
    key.read(Array(values.prefix(key.count)), into: &self)
    SQLColumns.creditTransaction.read(Array(values.dropFirst(key.count)), into: &self)
    guard let status = row.last?.name.flatMap(Status.init(rawValue:)) else {
      throw StorageFailure.database(code: 0, detail: "a credit transaction of an unknown status")
    }
    self.status = status
  }
}

extension SQLColumns<CreditTransaction> {
  /// The columns of `apple_iap_transactions` that never change.
  static let creditTransactionKey = SQLColumns([
    .verbatim("environment", \.purchase.environment),
    .text("transaction_id", \.purchase.transactionID),
  ])

  /// The other columns of `apple_iap_transactions`, except the dates of the row.
  static let creditTransaction = SQLColumns([
    .accountID("user_id", \.userID),
    .text("original_transaction_id", \.purchase.originalTransactionID),
    .text("bundle_id", \.purchase.bundleID),
    .text("product_id", \.purchase.productID),
    .name("product_code", \.productCode),
    .number("quantity", \.purchase.quantity, default: 1),
    .number("credits_per_unit", \.creditsPerUnit),
    .number("credits", \.credits),
    .name("app_account_token", \.purchase.appAccountToken.lowercaseText),
    .milliseconds("purchase_date", \.purchase.purchaseDate),
    .name("ledger_event_id", \.ledgerEventID),
    .number("refund_round", \.refundRound),
    .milliseconds("last_event_signed_at", \.lastEventSignedDate),
    // Last, because a text that is no status is an error.
    SQLColumn(name: "status") {
      .text($0.status.rawValue)
    } read: { _, _ in
    },
  ])
}

extension SQLColumn {
  /// An environment that is never null, as Apple writes it.
  static func verbatim(
    _ name: String, _ property: any Property<AppStoreEnvironment>
  ) -> SQLColumn {
    SQLColumn(name: name) {
      .text($0[keyPath: property].rawValue)
    } read: {
      $1[keyPath: property] = AppStoreEnvironment(rawValue: $0.name ?? "")
    }
  }
}

extension UUID? {
  fileprivate var lowercaseText: String? {
    get { self?.uuidString.lowercased() }
    set { self = newValue.flatMap(UUID.init(uuidString:)) }
  }
}
