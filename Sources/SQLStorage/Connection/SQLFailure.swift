public import PurchaseStorage

/// A failure of a database, as drivers report it.
@nonexhaustive
public enum SQLFailure: Error, Hashable, Sendable {
  /// A duplicate value in a unique field, with the name of the constraint or index, which is the same in
  /// every dialect.
  case uniqueViolation(constraint: String)
  /// A conflict with another transaction: run this one again from the start.
  case conflict
  /// The connection was lost or cannot be opened.
  case unavailable(mayHaveCommitted: Bool, detail: String)
  /// Another failure, with the driver's code and text.
  case other(code: Int, detail: String)
}

extension StorageFailure {
  /// The failure as callers of a store see it.
  public init(_ failure: SQLFailure) {
    switch failure {
    case .uniqueViolation(let constraint): self = .duplicate(UniqueField(constraint: constraint))
    case .conflict: self = .conflict
    case .unavailable(let mayHaveCommitted, let detail):
      self = .unavailable(mayHaveCommitted: mayHaveCommitted, detail: detail)
    case .other(let code, let detail): self = .database(code: code, detail: detail)
    }
  }
}

extension StorageFailure.UniqueField {
  /// The field that a constraint of the migrations keeps unique.
  init(constraint: String) {
    self =
      switch constraint {
      case "ftc_vip_vip_id", "ftc_vip_key": .accountID
      case "ftc_vip_id": .membershipID
      case "ftc_vip_ftc_user_id": .primaryID
      case "ftc_vip_wx_union_id", "ftc_vip_vip_id_alias": .secondID
      case "ftc_vip_apple_subscription_id": .originalTransactionID
      case "ftc_vip_stripe_subscription_id": .providerSubscriptionID
      case "ftc_vip_b2b_licence_id": .licenceID
      case "apple_iap_transactions_environment": .creditTransaction
      case "credit_ledger_environment": .ledgerEvent
      default: .other
      }
  }
}
