internal import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The state of the validation of a user's purchases in one app.
///
/// Source: entitlement rules, sections 4 and 4.1.
public struct AppValidation: Hashable, Sendable {
  public var bundleID: String
  /// The date on which a source last answered; nil before the first time.
  public var validatedDate: Date?
  /// The earliest of the first failures of the user's purchases in the app (``UnansweredPurchase``); nil if
  /// the state of all is known.
  public var firstFailureDate: Date?
  public var lastFailureDate: Date?
  public var lastFailure: ValidationFailure?
  /// The date of the next validation; nil for never.
  public var nextValidationDate: Date?

  /// Creates the state of a validation.
  public init(
    bundleID: String, validatedDate: Date? = nil, firstFailureDate: Date? = nil,
    lastFailureDate: Date? = nil, lastFailure: ValidationFailure? = nil,
    nextValidationDate: Date? = nil
  ) {
    self.bundleID = bundleID
    self.validatedDate = validatedDate
    self.firstFailureDate = firstFailureDate
    self.lastFailureDate = lastFailureDate
    self.lastFailure = lastFailure
    self.nextValidationDate = nextValidationDate
  }

  /// Returns whether the state of a purchase of the app could not be learned for too long.
  public func isSuspended(at date: Date, options: EntitlementOptions) -> Bool {
    firstFailureDate.map { date >= $0 + options.statusTTL.timeInterval } ?? false
  }
}

/// The kind of a failure to learn the present state of purchases.
public struct ValidationFailure: Hashable, Sendable, RawRepresentable {
  public let rawValue: String

  /// Creates a kind of failure.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The App Store could not be reached, or could not answer.
  public static let unreachable = ValidationFailure(rawValue: "unreachable")
  /// The App Store refused what was asked.
  public static let refused = ValidationFailure(rawValue: "refused")
}
