public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A question about the notifications that Apple sent or tried to send.
///
/// Reading and writing check no limits; ``validate()`` does. Source: Apple,
/// `NotificationHistoryRequest`.
public struct NotificationHistoryRequest: CheckedRequest {
  public var startDate: Date = Date(timeIntervalSince1970: 0)
  /// The end of the window; a date in the future counts as now.
  public var endDate: Date = Date(timeIntervalSince1970: 0)
  /// Any transaction of a customer, to ask about that customer only; not together with
  /// ``notificationType``.
  public var transactionID: String?
  /// The type of notification, to ask about that type only.
  public var notificationType: NotificationType?
  /// The subtype, which requires a type that has it.
  public var notificationSubtype: NotificationSubtype?
  /// Whether to ask only about notifications that were not delivered, including those that Apple
  /// still retries.
  public var onlyFailures: Bool?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a question about all notifications in a window.
  public init(startDate: Date, endDate: Date) {
    self.startDate = startDate
    self.endDate = endDate
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("startDate", &startDate)
    try coder.required("endDate", &endDate)
    try coder("transactionId", &transactionID)
    try coder("notificationType", &notificationType)
    try coder("notificationSubtype", &notificationSubtype)
    try coder("onlyFailures", &onlyFailures)
  }

  /// Checks the window, and that the filters go together.
  ///
  /// The reach of Apple's history is not checked, because it depends on the environment and the
  /// clock. Types and subtypes that this version does not know are refused.
  public func validate() throws(InvalidRequest) {
    try RequestCheck.window(startDate, "startDate", endDate, "endDate")
    if let transactionID {
      guard notificationType == nil else {
        throw InvalidRequest("transactionId", .notAllowed(with: "notificationType"))
      }
      _ = try RequestPart.transactionID(transactionID, field: "transactionId")
    }
    try RequestCheck.known(notificationType, "notificationType")
    guard let notificationSubtype else { return }
    guard let notificationType else { throw InvalidRequest("notificationType", .missing) }
    guard notificationType.subtypes.contains(notificationSubtype) else {
      throw InvalidRequest("notificationSubtype", .notAllowed(with: "notificationType"))
    }
  }

  /// The number of days that Apple's history reaches back.
  package static func reach(in environment: AppStoreEnvironment) -> Int {
    environment == .production ? 180 : 30
  }

  /// Returns the request with a start that Apple's history reaches, less a minute for the way to
  /// Apple.
  ///
  /// - Throws: ``InvalidRequest`` with ``InvalidRequest/Fault/tooOld`` if the window ends
  ///   before that.
  package func clipped(
    to environment: AppStoreEnvironment, at now: Date
  ) throws(InvalidRequest) -> NotificationHistoryRequest {
    let days = Double(Self.reach(in: environment))
    let earliest = now.addingTimeInterval(60 - days * 86_400)
    guard startDate < earliest else { return self }
    guard earliest < endDate else { throw InvalidRequest("endDate", .tooOld) }
    var request = self
    request.startDate = earliest
    return request
  }
}

extension NotificationType {
  /// The subtypes that Apple documents for this type.
  ///
  /// Source: App Store rules, section 7.2.
  fileprivate var subtypes: [NotificationSubtype] {
    switch self {
    case .subscribed: [.initialBuy, .resubscribe]
    case .didRenew: [.billingRecovery]
    case .offerRedeemed: [.initialBuy, .resubscribe, .upgrade, .downgrade]
    case .didChangeRenewalPref: [.upgrade, .downgrade]
    case .didChangeRenewalStatus: [.autoRenewEnabled, .autoRenewDisabled]
    case .didFailToRenew: [.gracePeriod]
    case .expired: [.voluntary, .billingRetry, .priceIncrease, .productNotForSale]
    case .priceIncrease: [.pending, .accepted]
    case .renewalExtension: [.summary, .failure]
    case .externalPurchaseToken: [.unreported, .created, .activeTokenReminder]
    default: []
    }
  }
}
