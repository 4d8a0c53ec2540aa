package import JSONValues

/// The body of a request to verifyReceipt.
///
/// Neither the receipt nor the password is ever printed. Apple needs base64 without line breaks,
/// which is not checked here.
///
/// Source: Apple, `requestBody` of verifyReceipt; App Store rules, section 5.1.
package struct VerifyReceiptRequest: FieldModel {
  /// The receipt in base64.
  package var receiptData: String = ""
  /// The app's shared secret, without which Apple sends no renewal information.
  package var password: String?
  /// Whether Apple should leave out all but the newest transaction of each subscription.
  ///
  /// Apple does not do so reliably, and without the older transactions eligibility for introductory
  /// offers cannot be derived.
  package var excludeOldTransactions: Bool?

  /// Members that this version does not know.
  package var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates a request about a receipt.
  package init(receiptData: String, password: String? = nil, excludeOldTransactions: Bool? = nil) {
    self.receiptData = receiptData
    self.password = password
    self.excludeOldTransactions = excludeOldTransactions
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("receipt-data", &receiptData)
    try coder("password", &password)
    try coder("exclude-old-transactions", &excludeOldTransactions)
  }
}
