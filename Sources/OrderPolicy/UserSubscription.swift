public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The level of a user, and until when it was bought.
///
/// Source: entitlement rules, section 12.
public struct UserSubscription: Hashable, Sendable {
  public var level: SubscriptionLevel
  public var vendor: Vendor
  /// The environment of the purchase; nobody paid for one of the Sandbox.
  public var environment: AppStoreEnvironment
  /// The end of what the vendor has confirmed.
  ///
  /// It may be past while the vendor cannot be asked.
  public var expiration: Date
  /// Whether the purchase of the order was claimed and left unacknowledged, as another one is in use, so that the
  /// store refunds it.
  public var isOrderUnacknowledged = false

  /// Creates a subscription of a user.
  public init(
    level: SubscriptionLevel, vendor: Vendor, environment: AppStoreEnvironment = .production,
    expiration: Date
  ) {
    self.level = level
    self.vendor = vendor
    self.environment = environment
    self.expiration = expiration
  }
}

extension UserSubscription: Encodable {
  private enum CodingKeys: String, CodingKey {
    case vendor, environment, expiration, acknowledged
  }

  /// Encodes the subscription as the contract shows it: the members of its level, then its own; the expiration is
  /// RFC 3339 in UTC, in whole seconds rounded down, whatever dates the encoder writes otherwise.
  ///
  /// So the answer of a host's own login can have it as its member `subscription`:
  ///
  /// ```swift
  /// struct LoginResponse: Encodable {
  ///   var userID: String
  ///   var subscription: UserSubscription?
  /// }
  /// ```
  ///
  /// Source: entitlement rules, section 12.
  public func encode(to encoder: any Encoder) throws {
    try level.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(vendor.rawValue, forKey: .vendor)
    try members.encode(environment.rawValue, forKey: .environment)
    try members.encode(Moment(expiration).text(as: .rfc3339), forKey: .expiration)
    if isOrderUnacknowledged { try members.encode(false, forKey: .acknowledged) }
  }
}
