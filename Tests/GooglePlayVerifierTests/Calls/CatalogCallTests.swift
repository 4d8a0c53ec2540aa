import GooglePlayVerifier
import HTTPMessages
import JSONValues
import ReceiptModels
import StorekeeperFixtures
import Testing

/// Calls that read the catalog, as Google's discovery document describes them.
@Suite("Calls that read the catalog of the Play Console")
struct CatalogCallTests {
  @Test("a product is read by its identifier")
  func reading() async throws {
    let scene = try await PlayScene([
      .status(
        200,
        #"""
        {"productId":"reader","basePlans":[
          {"basePlanId":"monthly","state":"ACTIVE",
           "autoRenewingBasePlanType":{"billingPeriodDuration":"P1M","gracePeriodDuration":"P7D"}},
          {"basePlanId":"terms","state":"INACTIVE",
           "installmentsBasePlanType":{"billingPeriodDuration":"P1M","committedPaymentsCount":12}}]}
        """#),
      .status(
        200,
        #"{"productId":"film","purchaseOptions":[{"purchaseOptionId":"rent","rentOption":{"rentalPeriod":"P30D"}}]}"#
      ),
    ])
    let reader = try await scene.client.subscriptionProduct("reader")
    #expect(reader.basePlans.map(\.basePlanID) == ["monthly", "terms"])
    #expect(reader.basePlans.map(\.state) == [.active, .inactive])
    #expect(reader.basePlans.map(\.billingPeriod) == ["P1M", "P1M"])
    #expect(reader.basePlans.last?.installments?.committedPaymentsCount == 12)
    #expect(!reader.isArchived)
    let film = try await scene.client.oneTimeProduct("film")
    #expect(film.purchaseOptions.first?.rent?.rentalPeriod == "P30D")
    #expect(film.purchaseOptions.first?.buy == nil)
    #expect(
      scene.play.requests.map(\.url) == [
        PlayScene.app + "subscriptions/reader", PlayScene.app + "oneTimeProducts/film",
      ])
  }

  @Test("lists are read page by page, until a page names no next one")
  func pages() async throws {
    let scene = try await PlayScene([
      .status(200, #"{"subscriptions":[{"productId":"a"}],"nextPageToken":"t 1"}"#),
      .status(200, #"{"subscriptions":[{"productId":"b"}],"nextPageToken":""}"#),
      .status(200, "{}"),
    ])
    var found: [String] = []
    for try await page in scene.client.subscriptionProducts(pageSize: 1) {
      found += page.subscriptions.map(\.productID)
    }
    #expect(found == ["a", "b"])
    for try await page in scene.client.oneTimeProducts() { #expect(page.oneTimeProducts.isEmpty) }
    #expect(
      scene.play.requests.map(\.url) == [
        PlayScene.app + "subscriptions?pageSize=1",
        PlayScene.app + "subscriptions?pageSize=1&pageToken=t%201",
        PlayScene.app + "oneTimeProducts?pageSize=1000",
      ])
  }

  @Test("a page that comes again, a wrong size and a part of a path are refused")
  func refusals() async throws {
    let again = #"{"nextPageToken":"same"}"#
    let scene = try await PlayScene([.status(200, again), .status(200, again)])
    await #expect(throws: GooglePlayFailure.pagesRepeat) {
      for try await _ in scene.client.oneTimeProducts() {}
    }
    #expect(scene.play.requests.count == 2)
    await #expect(throws: GooglePlayFailure.invalidCall(.pageSizeOutOfRange(0))) {
      for try await _ in scene.client.subscriptionProducts(pageSize: 0) {}
    }
    await #expect(throws: GooglePlayFailure.invalidCall(.notPathPart(.productID))) {
      try await scene.client.subscriptionProduct("..")
    }
    #expect(scene.play.requests.count == 2)
  }

  @Test("a member of the wrong type is named, also in an object with any names")
  func wrongTypes() throws {
    let json = try JSONValue(
      parsing: Array(
        #"{"productId":"a","taxAndComplianceSettings":{"taxRateInfoByRegionCode":{"CH":{"taxTier":1}}}}"#
          .utf8))
    let failure = #expect(throws: FieldTypeFailure.self) { try PlaySubscriptionProduct(json: json) }
    #expect(failure?.path == "taxAndComplianceSettings.taxRateInfoByRegionCode.CH.taxTier")
  }
}
