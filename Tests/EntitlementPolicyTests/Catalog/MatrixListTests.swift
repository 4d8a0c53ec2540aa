import EntitlementPolicy
import Testing

@Suite("Product lists of the acceptance matrix")
struct MatrixListTests {
  private let start = MatrixList.start

  @Test("Row 1: K expands, without warnings")
  func expansion() throws {
    let catalog = try catalog(MatrixList.json())
    #expect(
      catalog.names == [
        "brushes", "frames", "frames.gold", "paper", "coins", "full.monthly", "full25.monthly",
        "lite.monthly",
      ])
    #expect(catalog.warnings == [] && catalog.warningCount == 0)
    #expect(catalog.discountOf("\(start)full25.monthly") == "\(start)full.monthly")
    #expect(catalog.discountOf("\(start)full.monthly") == nil)
    let rule = try #require(catalog["\(start)lite.monthly"]?.unlocks)
    #expect(
      catalog.names.filter { rule.unlocks(start + $0) }.prefix(3) == [
        "frames", "frames.gold", "paper",
      ])
    #expect(catalog["\(start)full.monthly"]?.unlocks == nil)
  }

  @Test("Row 2: a bad element refuses the whole list")
  func refusals() {
    #expect(fault(MatrixList.json(third: "lifetime")) == #"2 productType unknown value "lifetime""#)
    #expect(failure(MatrixList.json(unlocks: #"["com.*.draw"]"#))?.reason == .badText)
    #expect(fault(MatrixList.json(unlocks: #"["com.*.draw"]"#)) == "6 unlocks[0] text not allowed")
  }

  @Test("Row 3: `frames` twice, a discount that is an element, a consumable in `unlocks`")
  func lint() throws {
    let twice = MatrixList.json(more: element("\(start)frames", "consumable"))
    #expect(try warnings(twice) == ["7 duplicate_identifier identifier \(start)frames"])
    #expect(try catalog(twice)["\(start)frames"]?.type == .nonConsumable)
    #expect(try catalog(twice).products.count == 8)

    let both = MatrixList.json(more: element("\(start)full25.monthly", "nonRenewingSubscription"))
    #expect(
      try warnings(both) == [
        "5 discount_already_listed discountedProducts[0] \(start)full25.monthly"
      ])
    #expect(try catalog(both).names.last == "full25.monthly")
    #expect(try catalog(both)["\(start)full25.monthly"]?.type == .nonRenewingSubscription)
    #expect(try catalog(both).discountOf("\(start)full25.monthly") == "\(start)full.monthly")

    let coins = MatrixList.json(unlocks: #"["\#(start)f*","\#(start)paper","\#(start)coins"]"#)
    #expect(try warnings(coins) == ["6 unlocks_nothing unlocks[2] \(start)coins"])
  }

  @Test("Row 4: the example of the list's own description")
  func seed() throws {
    let json = """
      [
        {
          "identifier": "com.lightricks.Facetune2.Retouch.Structure",
          "productType": "nonConsumable",
          "isSubscribersOnly": true,
          "contentFetcherParameters": {
            "type": "BZRRemoteContentFetcher",
            "URL": "https:///foo/bar.zip"
          }
        },
        {
          "identifier": "com.lightricks.Facetune2.V2.FullPrice.1MonthTrial.FullAccess.Monthly",
          "productType": "renewableSubscription",
          "discountedProducts": [
            "com.lightricks.Facetune2.V2.25Off.1MonthTrial.FullAccess.Monthly",
            "com.lightricks.Facetune2.V2.50Off.1MonthTrial.FullAccess.Monthly",
            "com.lightricks.Facetune2.V2.75Off.1MonthTrial.FullAccess.Monthly"
          ]
        }
      ]
      """
    let catalog = try catalog(json)
    let full = "com.lightricks.Facetune2.V2.FullPrice.1MonthTrial.FullAccess.Monthly"
    #expect(catalog.products.map(\.discountOf) == [nil, nil, full, full, full])
    #expect(catalog.products.suffix(3).allSatisfy { $0.type == .renewableSubscription })
    #expect(catalog[full]?.discountedProducts?.count == 3)
    #expect(
      try warnings(json) == [
        "0 content_url_without_host contentFetcherParameters.URL https:///foo/bar.zip"
      ])
    #expect(
      catalog.products[0].content == .remote(ContentSource(url: "https:///foo/bar.zip")))
  }
}
