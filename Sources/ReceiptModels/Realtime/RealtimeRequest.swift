public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A real-time request of the App Store about a customer who is about to cancel.
///
/// Every field is required. The request names no bundle identifier. A decoded value alone proves
/// nothing: services take the verified form. Source: Apple, `DecodedRealtimeRequestBody`.
public struct RealtimeRequest: FieldModel {
  public var originalTransactionID: String = ""
  public var appAppleID: Int = 0
  /// The product that the customer is about to cancel.
  public var productID: String = ""
  public var userLocale: String = ""
  public var requestIdentifier: UUID = .zero
  public var environment = AppStoreEnvironment(rawValue: "")
  public var signedDate = Date(timeIntervalSince1970: 0)
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a value with the required fields.
  public init(
    originalTransactionID: String, appAppleID: Int, productID: String, userLocale: String,
    requestIdentifier: UUID, environment: AppStoreEnvironment, signedDate: Date
  ) {
    self.originalTransactionID = originalTransactionID
    self.appAppleID = appAppleID
    self.productID = productID
    self.userLocale = userLocale
    self.requestIdentifier = requestIdentifier
    self.environment = environment
    self.signedDate = signedDate
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("originalTransactionId", &originalTransactionID)
    try coder.required("appAppleId", &appAppleID)
    try coder.required("productId", &productID)
    try coder.required("userLocale", &userLocale)
    try coder.required("requestIdentifier", &requestIdentifier)
    try coder.required("environment", &environment)
    try coder.required("signedDate", &signedDate)
  }
}
