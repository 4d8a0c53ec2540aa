public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A real-time developer notification of Google Play.
///
/// A notification says that something changed, and nothing more may be concluded from it: compare
/// ``packageName``, then read the purchase with ``GooglePlayClient`` and grant by that answer. Kinds and
/// types that this version does not know mean the same. Source: Google Play Billing, "Real-time
/// developer notifications reference".
public struct DeveloperNotification: GoogleModel {
  public let json: JSONValue
  public let version: String?
  public let packageName: String
  public let eventTime: Date?
  public let event: Event

  /// The maximum size of a notification in bytes.
  public static let maximumSize = 1 << 20

  /// An event, of which a notification has exactly one.
  public enum Event: Hashable, Sendable {
    case subscription(SubscriptionNotification)
    case oneTimeProduct(OneTimeProductNotification)
    case voidedPurchase(VoidedPurchaseNotification)
    /// A chargeback awaits a review, within 24 hours.
    case pendingRefundReview(PendingRefundReviewNotification)
    /// The developer asked for a test in the Play Console.
    case test
    /// An event that this version does not know, with the name of its member.
    case unknown(name: String)
  }

  /// Reads a notification.
  public init(parsing bytes: [UInt8]) throws(DeveloperNotificationFailure) {
    guard bytes.count <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
    let json: JSONValue
    do { json = try JSONValue(parsing: bytes) } catch { throw .notJSON }
    do throws(FieldTypeFailure) { try self.init(json: json) } catch {
      throw DeveloperNotificationFailure(error)
    }
  }

  /// Creates the value from its JSON form.
  ///
  /// - Throws: `FieldTypeFailure`. For a notification without an event, and one with several, it names
  ///   the whole value.
  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    version = try members.text("version")
    packageName = try members.requiredText("packageName")
    eventTime = try members.milliseconds("eventTimeMillis")
    event = try Event(members, names: Self.eventNames(in: json))
    self.json = json
  }

  /// The purchase token of the event, if it has one.
  public var purchaseToken: String? {
    switch event {
    case .subscription(let event): event.purchaseToken
    case .oneTimeProduct(let event): event.purchaseToken
    case .voidedPurchase(let event): event.purchaseToken
    case .pendingRefundReview, .test, .unknown: nil
    }
  }

  /// Returns the names of the members that may be events, in order.
  private static func eventNames(in json: JSONValue) -> [String] {
    guard case .object(let members) = json else { return [] }
    return members.filter { name, value in
      guard case .object = value else { return false }
      return name.utf8.reversed().starts(with: "Notification".utf8.reversed())
    }.keys.sorted()
  }
}

extension DeveloperNotification.Event {
  /// The names of the known events.
  private static let known: Set<String> = [
    "subscriptionNotification", "oneTimeProductNotification", "voidedPurchaseNotification",
    "pendingRefundReviewNotification", "testNotification",
  ]

  fileprivate init(_ members: MemberReader, names: [String]) throws(FieldTypeFailure) {
    // A known event of the wrong type is refused here, not taken for a missing one.
    for name in Self.known { _ = try members.hasObject(name) }
    let known = names.filter(Self.known.contains)
    guard known.count <= 1, let name = known.first ?? names.first,
      known.count == 1 || names.count == 1
    else { throw FieldTypeFailure(expected: .object, found: names.isEmpty ? .absent : .array) }
    func model<Model: JSONModel>() throws(FieldTypeFailure) -> Model {
      try members.required(name, .object, members.model(name))
    }
    switch name {
    case "subscriptionNotification": self = .subscription(try model())
    case "oneTimeProductNotification": self = .oneTimeProduct(try model())
    case "voidedPurchaseNotification": self = .voidedPurchase(try model())
    case "pendingRefundReviewNotification": self = .pendingRefundReview(try model())
    case "testNotification": self = .test
    default: self = .unknown(name: name)
    }
  }
}

/// A reason why bytes are not a notification of Google Play.
@nonexhaustive
public enum DeveloperNotificationFailure: Error, Hashable, Sendable {
  /// The notification is larger than the limit in bytes.
  case tooLarge(limit: Int)
  /// The notification is not JSON, or is nested too deeply.
  case notJSON
  case noEvent
  case severalEvents
  case malformed(FieldTypeFailure)

  fileprivate init(_ failure: FieldTypeFailure) {
    self =
      switch failure {
      case FieldTypeFailure(expected: .object, found: .absent): .noEvent
      case FieldTypeFailure(expected: .object, found: .array): .severalEvents
      default: .malformed(failure)
      }
  }
}
