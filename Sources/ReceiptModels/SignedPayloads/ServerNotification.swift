public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What Apple signs when it tells the server of an event, in version 2.
///
/// It carries exactly one of ``data``, ``summary``, ``externalPurchaseToken`` and ``appData``; that
/// is checked when it is verified, not here. A decoded value alone proves nothing: services take
/// the verified form.
///
/// Source: Apple, `responseBodyV2DecodedPayload`.
public struct ServerNotification: FieldModel {
  /// What the notification is about.
  public var notificationType: NotificationType?
  /// The detail, where the type has any.
  public var subtype: NotificationSubtype?
  /// The identifier of the notification, the same when Apple sends it again.
  public var notificationUUID: String?
  /// The version of this form, `2.0`.
  public var version: String?
  /// When Apple signed this payload.
  public var signedDate: Date?
  /// An event of one customer.
  public var data: NotificationData?
  /// The report of a job for many subscriptions.
  public var summary: NotificationSummary?
  /// A token for external purchases.
  public var externalPurchaseToken: ExternalPurchaseToken?
  /// An event about the app as a whole.
  public var appData: NotificationAppData?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty notification, to be filled field by field.
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
