internal import HTTPMessages
internal import JSONValues

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The list of voided purchases.
///
/// Source: Google Play Developer API v3, purchases.voidedpurchases.
extension PlayCall {
  /// The days that the list goes back.
  private static let days = 30.0
  /// The greatest number of entries of a page, and the number that a request gets without asking.
  private static let pageSize = 1000

  func voidedPurchases(_ world: PlayWorld) throws(GoogleAPIError) -> HTTPResponseMessage {
    let type = try number("type", in: 0...1) ?? 0
    let size = try number("maxResults", in: 1...Self.pageSize) ?? Self.pageSize
    let window = try window()
    let includesParts = target.value("includeQuantityBasedPartialRefund") == "true"
    let all =
      isOtherPackage
      ? []
      : world.voided.filter { entry in
        window.contains(entry.voided.wholeMilliseconds) && (type == 1 || !entry.isSubscription)
          && (includesParts || entry.quantity == nil)
      }.sorted { $0.voided < $1.voided }
    let start = try pageStart()
    let page = all.dropFirst(start).prefix(size)
    var members: [String: JSONValue] = [:]
    // As everywhere, Google leaves an empty list out.
    if !page.isEmpty { members["voidedPurchases"] = .array(page.map(Self.json)) }
    if start + page.count < all.count {
      members["tokenPagination"] = .object([
        "nextPageToken": .string(Self.token(start + page.count, window))
      ])
    }
    return .google(members)
  }

  private static func json(_ entry: VoidedPlayPurchase) -> JSONValue {
    var members: [String: JSONValue] = [
      "kind": .string("androidpublisher#voidedPurchase"), "purchaseToken": .string(entry.token),
      "orderId": .string(entry.orderID),
      "purchaseTimeMillis": .string(String(entry.purchased.wholeMilliseconds)),
      "voidedTimeMillis": .string(String(entry.voided.wholeMilliseconds)),
      "voidedSource": .integer(entry.source.rawValue),
      "voidedReason": .integer(entry.reason.rawValue),
    ]
    members["voidedQuantity"] = entry.quantity.map(JSONValue.integer)
    return .object(members)
  }

  // MARK: Parameters

  func number(_ name: String, in range: ClosedRange<Int>) throws(GoogleAPIError) -> Int? {
    guard let text = target.value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else { throw .invalid(name) }
    return number
  }

  /// The times of voiding that are asked for, in milliseconds; a page token decides them alone.
  private func window() throws(GoogleAPIError) -> ClosedRange<Int> {
    if let token = target.value("token") { return try Self.page(token).window }
    let current = now.wholeMilliseconds
    let oldest = current - Int(Self.days * 86_400_000)
    let start = try number("startTime", in: oldest...current) ?? oldest
    let end = try number("endTime", in: oldest...current) ?? current
    guard start <= end else { throw .invalid("startTime") }
    return start...end
  }

  private func pageStart() throws(GoogleAPIError) -> Int {
    guard let token = target.value("token") else { return 0 }
    return try Self.page(token).start
  }

  // MARK: Page tokens

  private struct Page {
    let start: Int
    let window: ClosedRange<Int>
  }

  /// Returns the token of the page that begins at a place.
  private static func token(_ start: Int, _ window: ClosedRange<Int>) -> String {
    "voided.\(start).\(window.lowerBound).\(window.upperBound)"
  }

  private static func page(_ token: String) throws(GoogleAPIError) -> Page {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "voided", let start = Int(parts[1]), start >= 0,
      let first = Int(parts[2]), let last = Int(parts[3]), first <= last
    else { throw .invalid("token") }
    return Page(start: start, window: first...last)
  }
}

/// An entry of Google's list of voided purchases: one order that was refunded, and whose goods are taken back.
struct VoidedPlayPurchase: Hashable, Sendable {
  let token: String
  let orderID: String
  let purchased: Date
  let voided: Date
  let source: PlayVoidedSource
  let reason: PlayVoidedReason
  let isSubscription: Bool
  /// The number of refunded items; nil if the whole order was refunded.
  let quantity: Int?
}

/// The party that voided a purchase, with Google's number.
public enum PlayVoidedSource: Int, Hashable, Sendable, CaseIterable {
  case user = 0
  case developer = 1
  case google = 2

  var cancellation: PlayCancellation {
    switch self {
    case .user: .user
    case .developer: .developer
    case .google: .system
    }
  }
}

/// A reason for which a purchase was voided, with Google's number.
public enum PlayVoidedReason: Int, Hashable, Sendable, CaseIterable {
  case other = 0
  /// The customer changed their mind.
  case remorse = 1
  case notReceived = 2
  case defective = 3
  case accidentalPurchase = 4
  /// Somebody else paid with the customer's means.
  case fraud = 5
  /// The customer denies a purchase that they made.
  case friendlyFraud = 6
  /// The customer's bank took the money back.
  case chargeback = 7
  /// The developer did not acknowledge the purchase in time.
  case unacknowledgedPurchase = 8
}
