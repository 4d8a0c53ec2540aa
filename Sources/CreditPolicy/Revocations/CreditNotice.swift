public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store's news about a transaction: Apple's verified notification, or Google Play's answer.
///
/// Source: credit rules, section 6.
public struct CreditNotice: Hashable, Sendable {
  /// The effect that a type of notification has on credits.
  public enum Effect: Hashable, Sendable, CaseIterable {
    /// Credits are taken back.
    case clawback
    /// Credits that were taken back are given again.
    case restoration
  }

  public var type: NotificationType
  /// The identifier of Apple's notification; empty if none told the news.
  public var notificationUUID: String
  /// The date at which Apple signed the notification, or at which Google was asked, in milliseconds.
  public var signedDate: Date
  /// The purchase, as Apple signed it in the notification.
  public var purchase: CreditPurchase
  /// The reason for the refund, if Apple gives one.
  public var revocationReason: RevocationReason?
  /// The refunded part in thousandths of a percent, if Apple gives it.
  public var revocationPercentage: Int?
  /// The units of the purchase that are refunded up to now, where the store counts them, as Google Play does.
  public var refundedUnits: Int?

  /// Creates a notice.
  public init(
    type: NotificationType, notificationUUID: String, signedDate: Date, purchase: CreditPurchase,
    revocationReason: RevocationReason? = nil, revocationPercentage: Int? = nil,
    refundedUnits: Int? = nil
  ) {
    self.type = type
    self.notificationUUID = notificationUUID
    self.signedDate = signedDate
    self.purchase = purchase
    self.revocationReason = revocationReason
    self.revocationPercentage = revocationPercentage
    self.refundedUnits = refundedUnits
  }

  /// The types that take credits back, unless a host chooses fewer.
  public static let clawbackTypes: Set<NotificationType> = [.refund, .revoke, .didFailToRenew]

  /// Returns the effect of a type, or nil if it has none.
  public static func effect(
    of type: NotificationType, clawbackTypes: Set<NotificationType> = Self.clawbackTypes
  ) -> Effect? {
    if type == .refundReversed { return .restoration }
    return clawbackTypes.contains(type) ? .clawback : nil
  }
}
