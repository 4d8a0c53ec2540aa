public import JSONValues
package import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The consumption data of a purchase for which the customer wants a refund, version 1.
///
/// Apple deprecated this version, but it is the one for purchases of the Advanced Commerce API. Its
/// JSON form always has eleven members; only the preference may be missing. Reading and writing
/// check no limits; ``validate()`` does.
///
/// Source: Apple, `ConsumptionRequestV1`.
public struct ConsumptionRequestV1: CheckedRequest {
  /// Whether the customer consented to sending these data; must be true.
  public var customerConsented: Bool = false
  public var consumptionStatus = ConsumptionStatus.undeclared
  public var platform = ConsumptionPlatform.undeclared
  /// Whether the customer could try the content before the purchase.
  public var sampleContentProvided: Bool = false
  /// Whether the purchase was delivered and works.
  public var deliveryStatus = DeliveryStatusV1.delivered
  /// The account of the customer in the app, written as the empty text if nil.
  ///
  /// Text that is not a UUID leaves this nil.
  public var appAccountToken: UUID?
  public var accountTenure = AccountTenure.undeclared
  public var playTime = PlayTime.undeclared
  public var lifetimeDollarsRefunded = LifetimeDollarsRefunded.undeclared
  public var lifetimeDollarsPurchased = LifetimeDollarsPurchased.undeclared
  public var userStatus = UserStatus.undeclared
  public var refundPreference: RefundPreferenceV1?
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates consumption data that declare nothing else.
  public init(
    customerConsented: Bool, deliveryStatus: DeliveryStatusV1, sampleContentProvided: Bool
  ) {
    self.customerConsented = customerConsented
    self.deliveryStatus = deliveryStatus
    self.sampleContentProvided = sampleContentProvided
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("customerConsented", &customerConsented)
    try coder.preset("consumptionStatus", &consumptionStatus)
    try coder.preset("platform", &platform)
    try coder.required("sampleContentProvided", &sampleContentProvided)
    try coder.preset("deliveryStatus", &deliveryStatus)
    var token = appAccountToken.map { RequestPart.uuid($0) } ?? ""
    try coder.preset("appAccountToken", &token)
    appAccountToken = UUID(uuidString: token)
    try coder.preset("accountTenure", &accountTenure)
    try coder.preset("playTime", &playTime)
    try coder.preset("lifetimeDollarsRefunded", &lifetimeDollarsRefunded)
    try coder.preset("lifetimeDollarsPurchased", &lifetimeDollarsPurchased)
    try coder.preset("userStatus", &userStatus)
    try coder("refundPreference", &refundPreference)
  }
}

extension ConsumptionRequestV1 {
  /// Checks the documented limits.
  public func validate() throws(InvalidRequest) {
    guard customerConsented else { throw InvalidRequest("customerConsented", .notAccepted) }
    try RequestCheck.known(consumptionStatus, "consumptionStatus")
    try RequestCheck.known(platform, "platform")
    try RequestCheck.known(deliveryStatus, "deliveryStatus")
    try RequestCheck.known(accountTenure, "accountTenure")
    try RequestCheck.known(playTime, "playTime")
    try RequestCheck.known(lifetimeDollarsRefunded, "lifetimeDollarsRefunded")
    try RequestCheck.known(lifetimeDollarsPurchased, "lifetimeDollarsPurchased")
    try RequestCheck.known(userStatus, "userStatus")
    try RequestCheck.known(refundPreference, "refundPreference")
  }
}
