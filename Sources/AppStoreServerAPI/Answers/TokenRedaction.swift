internal import JSONValues
internal import ReceiptModels

// Answers print their members with the signed tokens redacted: a token in a log gives its reader
// the purchase.

/// An answer that contains signed tokens.
protocol RedactedAnswer: FieldModel, CustomReflectable {}

extension RedactedAnswer {
  /// The members of the JSON form, with the tokens redacted.
  public var customMirror: Mirror {
    let members = jsonMembers.sorted { $0.key < $1.key }.map { name, value in
      let isSigned = name.utf8.starts(with: "signed".utf8)
      return (label: Optional(name), value: isSigned ? "redacted" as Any : value as Any)
    }
    return Mirror(self, children: members, displayStyle: .struct)
  }
}

extension HistoryResponse: RedactedAnswer {}
extension RefundHistoryResponse: RedactedAnswer {}
extension LastTransaction: RedactedAnswer {}
extension TransactionInfoResponse: RedactedAnswer {}
extension AppTransactionInfoResponse: RedactedAnswer {}
extension OrderLookupResponse: RedactedAnswer {}
extension NotificationHistoryItem: RedactedAnswer {}
extension CheckTestNotificationResponse: RedactedAnswer {}
extension AdvancedCommerceResponse: RedactedAnswer {}
