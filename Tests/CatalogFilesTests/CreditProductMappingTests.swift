import CatalogFiles
import CreditPolicy
import Testing

@Suite("Product mappings (credit rules, section 8)")
struct CreditProductMappingTests {
  private let welcome = CreditProduct(
    code: "welcome_pack", appStoreProductID: "com.example.gems.welcome", credits: 60,
    type: .starter,
    sortOrder: 0, isEnabled: true)

  @Test("the example of the rules")
  func example() throws {
    let mapping = try mapping(
      """
      product_mappings:
        welcome_pack:
          app_store_product_id: com.example.gems.welcome
          credits: 60
          type: starter
          sort_order: 0
          enabled: true

      """)
    #expect(mapping.products == (try CreditProducts([welcome])))
    #expect(mapping.warnings == [] && mapping.warningCount == 0)
  }

  @Test("defaults: standard, place 0, enabled")
  func defaults() throws {
    let mapping = try mapping(onePack("app_store_product_id: a", "credits: 1"))
    let expected = CreditProduct(
      code: "welcome_pack", appStoreProductID: "a", credits: 1, type: .standard, sortOrder: 0,
      isEnabled: true)
    #expect(mapping.products.enabled == [expected])
  }

  @Test(
    "YAML and JSON give the same products for the same data",
    arguments: [
      """
      # Two packs, one of them not for sale.
      product_mappings:
        welcome_pack: {app_store_product_id: com.example.gems.welcome, credits: 060, type: "starter"}
        "big.pack-2":
          app_store_product_id: 'com.example.gems.big'
          credits: 0x1F4
          sort_order: -5
          enabled: FALSE
      """,
      "\u{FEFF}---\r\nproduct_mappings:\r\n  welcome_pack:\r\n    app_store_product_id: com.example.gems.welcome\r\n    credits: 60\r\n    type: starter\r\n  big.pack-2:\r\n    app_store_product_id: com.example.gems.big\r\n    credits: 500\r\n    sort_order: -5\r\n    enabled: false\r\n...\r\n",
      "%YAML 1.2\n---\nproduct_mappings:\n  welcome_pack:\n    app_store_product_id: com.example.gems.welcome\n    credits: 60\n    type: starter\n  big.pack-2:\n    app_store_product_id: com.example.gems.big\n    credits: 500\n    sort_order: -5\n    enabled: false",
      " \t\r\n{\"product_mappings\": {\"welcome_pack\": {\"app_store_product_id\": \"com.example.gems.welcome\", \"credits\": 60, \"type\": \"starter\"}, \"big.pack-2\": {\"app_store_product_id\": \"com.example\\u002egems.big\", \"credits\": 500, \"sort_order\": -5, \"enabled\": false}}}\n",
      "\u{FEFF}{\"product_mappings\":{\"big.pack-2\":{\"enabled\":false,\"sort_order\":-5,\"credits\":500,\"app_store_product_id\":\"com.example.gems.big\"},\"welcome_pack\":{\"type\":\"starter\",\"credits\":60,\"app_store_product_id\":\"com.example.gems.welcome\"}}}",
    ])
  func formats(text: String) throws {
    let big = CreditProduct(
      code: "big.pack-2", appStoreProductID: "com.example.gems.big", credits: 500, sortOrder: -5,
      isEnabled: false)
    let mapping = try mapping(text)
    #expect(mapping.products == (try CreditProducts([welcome, big])))
    #expect(mapping.warnings == [])
  }

  @Test("an empty map", arguments: ["product_mappings: {}", #"{"product_mappings": {}}"#])
  func emptyMap(text: String) throws {
    #expect(try mapping(text).products == CreditProducts())
  }

  @Test("the edges of numbers and texts")
  func edges() throws {
    let code = String(repeating: "a", count: 32)
    let id = String(repeating: "é", count: 128)
    let mapping = try mapping(
      """
      product_mappings:
        \(code):
          app_store_product_id: \(id)
          credits: 1000000000
          sort_order: 9223372036854775807
        A:
          app_store_product_id: x
          credits: 1
          sort_order: -9223372036854775808
        1001:
          app_store_product_id: "1001"
          credits: 2
      """)
    #expect(mapping.products[code]?.appStoreProductID == id)
    #expect(mapping.products[code]?.credits == 1_000_000_000)
    #expect(mapping.products[code]?.sortOrder == Int.max)
    #expect(mapping.products["A"]?.sortOrder == Int.min)
    #expect(mapping.products["1001"]?.appStoreProductID == "1001")
    #expect(mapping.products.enabled.map(\.code) == ["A", "1001", code])
  }

  @Test("lists are ordered by place, then by code")
  func order() throws {
    let mapping = try mapping(
      """
      product_mappings:
        c: {app_store_product_id: c, credits: 1}
        b: {app_store_product_id: b, credits: 1, sort_order: 1}
        B: {app_store_product_id: B, credits: 1}
        a: {app_store_product_id: a, credits: 1, sort_order: -1}
      """)
    #expect(mapping.products.enabled.map(\.code) == ["a", "B", "c", "b"])
  }

  @Test("a product that is not enabled may share its identifier")
  func disabledTwin() throws {
    let mapping = try mapping(
      """
      product_mappings:
        old: {app_store_product_id: gems, credits: 9, enabled: false}
        new: {app_store_product_id: gems, credits: 1}
        older: {app_store_product_id: gems, credits: 99, enabled: false}
      """)
    #expect(mapping.products.enabled.map(\.code) == ["new"])
    #expect(mapping.products["old"] == nil)
  }

  @Test("a type that the host has registered")
  func registeredType() throws {
    let text = onePack("app_store_product_id: a", "credits: 1", "type: seasonal")
    let seasonal = CreditProductType(rawValue: "seasonal")
    #expect(
      try mapping(text, registeredTypes: [seasonal]).products["welcome_pack"]?.type == seasonal)
    let failure = #expect(throws: MappingFailure.self) { try mapping(text) }
    #expect(
      failure?.description
        == "mapping: product_mappings.welcome_pack.type (line 5): expected starter or standard")
  }

  @Test("unknown keys are warnings with path and line, those of the file before those of products")
  func warnings() throws {
    let mapping = try mapping(
      """
      version: 2
      product_mappings:
        welcome_pack:
          app_store_product_id: a
          credit: 50
          credits: 60
          "Enabled ": [1, {a: b}]
      "<<": quoted
      """)
    #expect(
      mapping.warnings.map(\.description) == [
        "mapping: version (line 1): unknown key",
        #"mapping: "<<" (line 8): unknown key"#,
        "mapping: product_mappings.welcome_pack.credit (line 5): unknown key",
        #"mapping: product_mappings.welcome_pack."Enabled " (line 7): unknown key"#,
      ])
    let json = try self.json(#"{"a": 1, "product_mappings": {}}"#)
    #expect(json.map(\.description) == ["mapping: a: unknown key"])
  }

  private func json(_ text: String) throws -> [MappingWarning] { try mapping(text).warnings }
}
