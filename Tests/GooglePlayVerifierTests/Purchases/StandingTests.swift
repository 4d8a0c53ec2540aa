import Foundation
import GooglePlayVerifier
import Testing

/// The table of the Google Play rules, section 2.1.
@Suite("The standing of a subscription")
struct StandingTests {
  private static let expiry = Date(timeIntervalSince1970: 1_796_083_200)  // 2026-12-01T00:00:00Z

  private static func purchase(
    _ state: String?, items: String = #"{"productId":"pro","expiryTime":"2026-12-01T00:00:00Z"}"#,
    more: String = ""
  ) throws -> SubscriptionPurchaseV2 {
    let state = state.map { #""subscriptionState":"SUBSCRIPTION_STATE_\#($0)","# } ?? ""
    return try SubscriptionPurchaseV2(json: json(#"{\#(state)"lineItems":[\#(items)]\#(more)}"#))
  }

  private static let valid = PlaySubscriptionStanding.valid(productID: "pro", expiryTime: expiry)
  private static let other = SubscriptionPurchaseV2.SubscriptionState(
    rawValue: "SUBSCRIPTION_STATE_OTHER")

  @Test(
    "each state before its expiry, and at it",
    arguments: [
      ("ACTIVE", valid, .expired), ("IN_GRACE_PERIOD", valid, .expired),
      ("CANCELED", valid, .expired), ("EXPIRED", .expired, .expired),
      ("ON_HOLD", .expired, .expired), ("PAUSED", .expired, .expired),
      ("PENDING", .pending, .pending),
      ("PENDING_PURCHASE_CANCELED", .canceledPending, .canceledPending),
      ("OTHER", .unknown(other), .unknown(other)), (nil, .unknown(nil), .unknown(nil)),
    ] as [(String?, PlaySubscriptionStanding, PlaySubscriptionStanding)])
  func states(
    state: String?, before: PlaySubscriptionStanding, after: PlaySubscriptionStanding
  ) throws {
    let purchase = try Self.purchase(state)
    #expect(purchase.standing(at: Self.expiry.addingTimeInterval(-0.001)) == before)
    #expect(purchase.standing(at: Self.expiry) == after)
  }

  @Test(
    "a replaced purchase is over in every state",
    arguments: [
      "ACTIVE", "IN_GRACE_PERIOD", "CANCELED", "EXPIRED", "ON_HOLD", "PAUSED", "OTHER", nil,
    ] as [String?])
  func replaced(state: String?) throws {
    let purchase = try Self.purchase(
      state, more: #","canceledStateContext":{"replacementCancellation":{}}"#)
    #expect(purchase.standing(at: Self.expiry.addingTimeInterval(-0.001)) == .expired)
  }

  @Test("without an expiry a running state says nothing", arguments: ["ACTIVE", "CANCELED"])
  func withoutExpiry(state: String) throws {
    for items in ["", #"{"productId":"pro"}"#] {
      let purchase = try Self.purchase(state, items: items)
      #expect(purchase.standing(at: Self.expiry) == .unknown(purchase.subscriptionState))
    }
  }

  @Test("states that grant nothing need no item", arguments: ["EXPIRED", "ON_HOLD", "PAUSED"])
  func withoutItems(state: String) throws {
    #expect(try Self.purchase(state, items: "").standing(at: Self.expiry) == .expired)
  }

  @Test(
    "the item with the latest expiry decides, of equal ones the first",
    arguments: [
      (["a 11-02", "b 11-03", "c 11-01"], "b"), (["a 11-03", "b 11-02"], "a"),
      (["a 11-02", "b 11-02"], "a"), (["a", "b 11-02"], "b"),
    ])
  func latest(items: [String], winner: String) throws {
    let text = items.map { item in
      let parts = item.split(separator: " ")
      let expiry = parts.count > 1 ? #","expiryTime":"2026-\#(parts[1])T00:00:00Z""# : ""
      return #"{"productId":"\#(parts[0])"\#(expiry)}"#
    }
    let purchase = try Self.purchase("ACTIVE", items: text.joined(separator: ","))
    let now = Date(timeIntervalSince1970: 1_793_491_200)
    #expect(purchase.decidingLineItem(at: now)?.productID == winner)
  }

  // MARK: Deferred replacements

  private static func deferred(
    old: String = "pro", replacement: String, item: String, later: String = "2027-12-01"
  ) throws -> SubscriptionPurchaseV2 {
    try purchase(
      "ACTIVE",
      items: #"{"productId":"\#(old)","expiryTime":"2026-12-01T00:00:00Z","#
        + #""deferredItemReplacement":{"productId":"\#(replacement)"}},"#
        + #"{"productId":"\#(item)","expiryTime":"\#(later)T00:00:00Z"}"#)
  }

  @Test("an item that another one names as its replacement is not owned yet")
  func notOwned() throws {
    let purchase = try Self.deferred(replacement: "lite", item: "lite")
    #expect(purchase.standing(at: Self.expiry - 1) == Self.valid)
  }

  @Test("after the expiry of the item that named it, it is owned")
  func owned() throws {
    let purchase = try Self.deferred(replacement: "lite", item: "lite")
    let later = Date(timeIntervalSince1970: 1_827_619_200)  // 2027-12-01T00:00:00Z
    #expect(purchase.standing(at: Self.expiry) == .valid(productID: "lite", expiryTime: later))
  }

  @Test("an item with another base plan of the same subscription is told apart by its place")
  func sameProduct() throws {
    let purchase = try Self.deferred(replacement: "pro", item: "pro")
    #expect(purchase.standing(at: Self.expiry - 1) == Self.valid)
  }

  @Test("a replacement that is no item grants nothing")
  func onlyNamed() throws {
    let purchase = try Self.purchase(
      "ACTIVE",
      items: #"{"productId":"pro","expiryTime":"2026-12-01T00:00:00Z","#
        + #""deferredItemReplacement":{"productId":"lite"}}"#)
    #expect(purchase.standing(at: Self.expiry - 1) == Self.valid)
    #expect(purchase.standing(at: Self.expiry) == .expired)
  }

  @Test("an add-on beside a deferred replacement still counts")
  func addOn() throws {
    let purchase = try Self.deferred(replacement: "lite", item: "extra")
    let later = Date(timeIntervalSince1970: 1_827_619_200)
    #expect(
      purchase.standing(at: Self.expiry - 1) == .valid(productID: "extra", expiryTime: later))
  }
}
