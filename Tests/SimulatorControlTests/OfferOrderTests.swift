import Foundation
import HTTPMessages
import JSONValues
import ReceiptModels
import StorekeeperSimulatorControl
import Testing

@Suite("Offers, commitments and gifts by order")
struct OfferOrderTests {
  private static func scene() throws -> ControlScene {
    try ControlScene { configuration in
      configuration.products[0].winBackOffers = ["half-price"]
      configuration.products[1].commitmentPrice = 59_880
      configuration.packs = [
        SoldPack(id: "reader.lifetime", name: "For ever", kind: .nonConsumable)
      ]
    }
  }

  @Test("a lapsed customer is told of offers, and comes back by one")
  func winBack() async throws {
    let scene = try Self.scene()
    let buy = #"{"customer":"alice","product":"reader.monthly"}"#
    _ = try await scene.order("buy", buy)
    let lapsed = try await scene.order("lapse", #"{"customer":"alice"}"#)
    #expect(lapsed["subscription"]?["winBackOffers"] == .array([.string("half-price")]))
    let terms = #","offer":"winBack","offerId":"half-price"}"#
    let back = try await scene.order("buy", buy.dropLast() + terms)
    #expect(back["subscription"]?["timeline"]?.texts("offer") == [nil, "winBack"])
    #expect(back["notifications"]?.texts("subtype") == ["RESUBSCRIBE"])
    let stranger = #"{"customer":"bob","product":"reader.monthly""# + terms
    #expect(try await scene.refusal("buy", stranger) == .conflict)
    let nameless = #"{"customer":"carol","product":"reader.monthly","offer":"code"}"#
    #expect(try await scene.refusal("buy", nameless) == .badRequest)
  }

  @Test("an offer is redeemed for the next charge")
  func redeem() async throws {
    let scene = try Self.scene()
    _ = try await scene.order("buy", #"{"customer":"alice","product":"reader.monthly"}"#)
    let redeemed = try await scene.order(
      "redeem", #"{"customer":"alice","offer":"code","offerId":"spring"}"#)
    #expect(redeemed["subscription"]?["nextOffer"] == .string("spring"))
    #expect(redeemed["notifications"]?.texts("type") == ["OFFER_REDEEMED"])
    let renewed = try await scene.order("renew", #"{"customer":"alice"}"#)
    #expect(renewed["subscription"]?["timeline"]?.texts("offer") == [nil, "code"])
    #expect(try await scene.refusal("redeem", #"{"customer":"alice"}"#) == .badRequest)
  }

  @Test("a commitment is paid in parts, also after it was cancelled")
  func commitment() async throws {
    let scene = try Self.scene()
    let bought = try await scene.order(
      "buy", #"{"customer":"alice","product":"reader.yearly","plan":"MONTHLY"}"#)
    #expect(bought["subscription"]?["commitmentRenews"] == .boolean(true))
    let lapsed = try await scene.order("lapse", #"{"customer":"alice","when":"periodEnd"}"#)
    #expect(lapsed["subscription"]?["autoRenew"] == .boolean(true))
    #expect(lapsed["subscription"]?["commitmentRenews"] == .boolean(false))
    let renewed = try await scene.order("renew", #"{"customer":"alice"}"#)
    let periods = renewed["subscription"]?["timeline"]?.list.map { $0["period"] }
    #expect(periods == [.integer(1), .integer(2)])
    let without = #"{"customer":"bob","product":"reader.monthly","plan":"MONTHLY"}"#
    #expect(try await scene.refusal("buy", without) == .conflict)
  }

  @Test(
    "a subscription is shared and assigned, and taken away",
    arguments: [
      ("share", "FAMILY_SHARED"), ("assign", "ASSIGNED"),
    ])
  func gifts(order: String, ownership: String) async throws {
    let scene = try Self.scene()
    _ = try await scene.order("buy", #"{"customer":"alice","product":"reader.monthly"}"#)
    let given = try await scene.order(order, #"{"customer":"alice","member":"bob"}"#)
    #expect(given["subscription"]?["customer"] == .string("bob"))
    #expect(given["subscription"]?["ownership"] == .string(ownership))
    #expect(given["notifications"]?.texts("type") == ["SUBSCRIBED"])
    let taken = try await scene.order("revoke", #"{"customer":"bob"}"#)
    #expect(taken["subscription"]?["status"] == .string("refunded"))
    #expect(taken["notifications"]?.texts("type") == ["REVOKE"])
    #expect(try await scene.refusal("revoke", #"{"customer":"alice"}"#) == .conflict)
    #expect(
      try await scene.refusal(order, #"{"customer":"alice","member":"alice"}"#) == .conflict)
  }

  @Test("a product that is owned for ever is shared too")
  func sharedPack() async throws {
    let scene = try Self.scene()
    let bought = try await scene.order(
      "buy", #"{"customer":"alice","product":"reader.lifetime"}"#)
    let id = try #require(bought["purchase"]?["transactionId"]?.text)
    let shared = try await scene.order("share", #"{"transactionId":"\#(id)","member":"bob"}"#)
    #expect(shared["purchase"]?["customer"] == .string("bob"))
    let own = try #require(shared["purchase"]?["transactionId"]?.text)
    let taken = try await scene.order("revoke", #"{"transactionId":"\#(own)"}"#)
    #expect(taken["notifications"]?.texts("type") == ["REVOKE"])
  }

  @Test("prices rise with and without consent")
  func prices() async throws {
    let scene = try Self.scene()
    _ = try await scene.order("buy", #"{"customer":"alice","product":"reader.monthly"}"#)
    for (consent, state, subtype) in [
      ("asked", "asked", "PENDING"), ("given", "accepted", "ACCEPTED"),
      ("unneeded", "accepted", "ACCEPTED"),
    ] {
      let told = try await scene.order(
        "increasePrice", #"{"customer":"alice","consent":"\#(consent)"}"#)
      #expect(told["subscription"]?["priceIncrease"] == .string(state))
      #expect(told["notifications"]?.texts("type") == ["PRICE_INCREASE"])
      #expect(told["notifications"]?.texts("subtype") == [subtype])
    }
  }

  @Test("a part of a charge is refunded")
  func prorated() async throws {
    let scene = try Self.scene()
    _ = try await scene.order("buy", #"{"customer":"alice","product":"reader.monthly"}"#)
    _ = try await scene.order("requestRefund", #"{"customer":"alice"}"#)
    let decide = #"{"customer":"alice","otherwise":"prorated""#
    #expect(try await scene.refusal("decideRefund", decide + "}") == .badRequest)
    let decided = try await scene.order("decideRefund", decide + #","percent":40}"#)
    let percents = decided["subscription"]?["timeline"]?.list.map { $0["refundedPercent"] }
    #expect(percents == [.integer(40)])
  }

  @Test("a token for an external purchase is told of, and asked about ten days later")
  func externalPurchase() async throws {
    let scene = try Self.scene()
    let made = try await scene.order("externalPurchaseToken", #"{"type":"SERVICES"}"#)
    #expect(made["externalPurchaseId"]?.text?.isEmpty == false)
    #expect(made["notifications"]?.texts("subtype") == ["CREATED"])
    let early = try await scene.order("advance", #"{"days":9}"#)
    #expect(early["notifications"] == .array([]))
    let due = try await scene.order("advance", #"{"days":1}"#)
    #expect(due["notifications"]?.texts("subtype") == ["UNREPORTED"])
    #expect(
      try await scene.refusal("externalPurchaseToken", #"{"type":"NONE"}"#) == .badRequest)
  }
}
