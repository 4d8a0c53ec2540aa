import CreditPolicy

// The answers of verify (credit rules, section 2).
extension GrantRefusal {
  var code: String {
    switch self {
    case .productNotFound: "PAYMENT_PRODUCT_NOT_FOUND"
    case .productMismatch: "PAYMENT_PRODUCT_MISMATCH"
    case .transactionIDMismatch, .appAccountTokenMismatch, .amountOutOfRange:
      "PAYMENT_TRANSACTION_INVALID"
    case .revoked: "PAYMENT_TRANSACTION_REVOKED"
    case .conflict: "PAYMENT_TRANSACTION_CONFLICT"
    case .starterIneligible: "PAYMENT_STARTER_PACK_INELIGIBLE"
    }
  }

  /// The reason that tells the refusals of one code apart.
  var reason: String? {
    switch self {
    case .transactionIDMismatch: "transaction_id_mismatch"
    case .appAccountTokenMismatch: "app_account_token_mismatch"
    case .amountOutOfRange: "amount_out_of_range"
    case .productNotFound, .productMismatch, .revoked, .conflict, .starterIneligible: nil
    }
  }

  var status: Int {
    switch self {
    case .productNotFound: 404
    case .productMismatch, .transactionIDMismatch, .appAccountTokenMismatch, .amountOutOfRange: 422
    case .revoked, .conflict, .starterIneligible: 409
    }
  }
}
