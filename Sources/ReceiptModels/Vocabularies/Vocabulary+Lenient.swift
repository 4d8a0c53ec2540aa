package import JSONValues

extension LenientScalar where Self: StringVocabulary {
  /// Any scalar as text of at most 128 bytes: values are compared as Swift compares strings, in time
  /// that grows with the square of a run of combining marks, and anybody may send them.
  package init?(lenient json: JSONValue) {
    guard let text = String(lenient: json), text.utf8.count <= 128 else { return nil }
    self.init(rawValue: text)
  }

  package var scalarText: String { rawValue }
}

extension LenientScalar where Self: IntegerVocabulary {
  package init?(lenient json: JSONValue) {
    guard let value = Int(lenient: json) else { return nil }
    self.init(rawValue: value)
  }

  package var scalarText: String { String(rawValue) }
}

extension InAppOwnershipType: LenientScalar {}
extension AppStoreEnvironment: LenientScalar {}
extension ReceiptType: LenientScalar {}
extension RevocationReason: LenientScalar {}
extension AutoRenewStatus: LenientScalar {}
extension ExpirationIntent: LenientScalar {}
extension PriceIncreaseStatus: LenientScalar {}
