import CatalogFiles
import Testing

@Suite("A product mapping without products")
struct EmptyMappingTests {
  @Test("is allowed", arguments: ["product_mappings: {}\n", #"{"product_mappings":{}}"#])
  func empty(text: String) throws {
    let mapping = try CreditProductMapping(contentsOf: Array(text.utf8))
    #expect(mapping.products.enabled.isEmpty)
  }
}
