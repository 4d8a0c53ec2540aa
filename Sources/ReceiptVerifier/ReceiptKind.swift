/// What a client sent in the place of a receipt, by its first bytes.
///
/// The kind only chooses the path and the error text; it proves nothing.
///
/// Source: contract on signed data, section 6.1.
public enum ReceiptKind: String, Hashable, Sendable, CaseIterable {
  /// An app receipt of Apple's: PKCS#7 in DER, as base64 or as bytes.
  case appReceipt
  /// An app receipt of Xcode or StoreKit Test: PKCS#7 in BER of indefinite length.
  case xcodeReceipt
  /// A transaction receipt of iOS 6 and earlier: a property list.
  case transactionReceipt
  /// A compact JWS of StoreKit 2.
  case signedData
  /// Base64 of base64.
  case doubleBase64
  /// Base64 in which a form or an address turned `+` into a space, or marks into `%2B`.
  case formMangledBase64
  /// Nothing at all.
  case empty
  /// Anything else.
  case unknown
}
