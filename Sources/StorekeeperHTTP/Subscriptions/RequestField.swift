/// A member of a request's body, with its name in the current contract.
enum RequestField: String, Hashable, Sendable, CaseIterable {
  case accountID = "ftcId"
  case originalTransactionID = "originalTxId"
  case receipt = "receiptData"
  case transaction = "signedTransactionInfo"
  case renewalInfo = "signedRenewalInfo"
}
