public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The signed payload of a server notification of version 2.
///
/// It has exactly one of ``data``, ``summary``, ``externalPurchaseToken`` and ``appData``, which is
/// checked on verification but not here. A decoded value alone proves nothing: services take the
/// verified form.
///
/// Source: Apple, `responseBodyV2DecodedPayload`.
public struct ServerNotification: FieldModel {
  public var notificationType: NotificationType?
  /// The subtype, if the type has one.
  public var subtype: NotificationSubtype?
  /// The identifier of the notification, which stays the same if Apple sends it again.
  public var notificationUUID: String?
  /// The version of this format, `2.0`.
  public var version: String?
  /// The date on which Apple signed this payload.
  public var signedDate: Date?
  /// An event of one customer.
  public var data: NotificationData?
  /// The report of a job for many subscriptions.
  public var summary: NotificationSummary?
  public var externalPurchaseToken: ExternalPurchaseToken?
  /// An event about the app as a whole.
  public var appData: NotificationAppData?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty notification.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("notificationType", &notificationType)
    try coder("subtype", &subtype)
    try coder("notificationUUID", &notificationUUID)
    try coder("version", &version)
    try coder("signedDate", &signedDate)
    try coder("data", &data)
    try coder("summary", &summary)
    try coder("externalPurchaseToken", &externalPurchaseToken)
    try coder("appData", &appData)
  }
}

/// The body of a request from Apple.
///
/// Server notifications of version 2 and real-time requests have this form. Decoding does not
/// verify the text inside.
///
/// Source: Apple, `responseBodyV2` and `RealtimeRequestBody`.
package struct SignedPayloadBody: FieldModel {
  /// The payload, as a signed token.
  package var signedPayload: String = ""

  /// Members that this version does not know.
  package var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates a body with a signed token.
  package init(signedPayload: String) {
    self.signedPayload = signedPayload
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("signedPayload", &signedPayload)
  }
}
