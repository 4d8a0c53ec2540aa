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
  public var subtype: NotificationSubtype?
  /// The identifier of the notification, which stays the same if Apple sends it again.
  public var notificationUUID: String?
  /// The version of this format, `2.0`.
  public var version: String?
  public var signedDate: Date?
  public var data: NotificationData?
  public var summary: NotificationSummary?
  public var externalPurchaseToken: ExternalPurchaseToken?
  public var appData: NotificationAppData?
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
public struct SignedPayloadBody: FieldModel {
  public var signedPayload: String = ""
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// Creates a body with a signed token.
  public init(signedPayload: String) {
    self.signedPayload = signedPayload
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("signedPayload", &signedPayload)
  }
}
