import CreditPolicy
import Testing

@Suite("Lists of credit products")
struct CreditProductsTests {
  private func product(
    _ code: String, _ id: String, credits: Int = 60, place: Int = 0, isEnabled: Bool = true
  ) -> CreditProduct {
    CreditProduct(
      code: code, appStoreProductID: id, credits: credits, sortOrder: place, isEnabled: isEnabled)
  }

  @Test("have defaults: standard, place 0, for sale")
  func defaults() {
    let big = CreditProduct.big
    #expect(big.type == .standard && big.sortOrder == 0 && big.isEnabled)
    #expect(CreditProductType.starter.rawValue == "starter")
    #expect(CreditProductType.standard.rawValue == "standard")
  }

  @Test("may be empty")
  func empty() throws {
    #expect(try CreditProducts([]) == CreditProducts())
    #expect(CreditProducts().enabled.isEmpty)
    #expect(CreditProducts()["welcome_pack"] == nil)
  }

  @Test("find a product by the bytes of its code")
  func codes() throws {
    let products = try CreditProducts([.welcome, .big])
    #expect(products["big_pack"] == .big)
    #expect(products["BIG_PACK"] == nil)
    #expect(products["big_pac\u{212A}"] == nil)
    #expect(products[""] == nil)
  }

  @Test("order by place, then by the bytes of the code")
  func order() throws {
    let products = try CreditProducts([
      product("b", "1"), product("a", "2", place: 1), product("B", "3"), product("_", "4"),
      product("a2", "5", place: -1), product("a10", "6"), product("a9", "7"),
    ])
    #expect(products.enabled.map(\.code) == ["a2", "B", "_", "a10", "a9", "b", "a"])
  }

  @Test("hide products that are not for sale, but know them")
  func disabled() throws {
    let products = try CreditProducts([product("a", "1", isEnabled: false), product("b", "2")])
    #expect(products["a"] == nil)
    #expect(products.enabled.map(\.code) == ["b"])
    #expect(products.contains(appStoreProductID: "1"))
    #expect(!products.contains(appStoreProductID: "3"))
  }

  @Test("refuse a code twice, for sale or not", arguments: [true, false])
  func duplicateCode(isEnabled: Bool) {
    #expect(throws: CreditProductsFailure.duplicateCode("a")) {
      try CreditProducts([product("a", "1"), product("a", "2", isEnabled: isEnabled)])
    }
  }

  @Test("refuse two codes for sale with one product, and name both")
  func duplicateProduct() {
    #expect(throws: CreditProductsFailure.duplicateProduct(codes: ["a", "b"])) {
      try CreditProducts([product("a", "1"), product("c", "2"), product("b", "1")])
    }
  }

  @Test("accept two codes with one product if at most one is for sale")
  func replaced() throws {
    let products = try CreditProducts([
      product("old", "1", isEnabled: false), product("new", "1"),
      product("older", "1", isEnabled: false),
    ])
    #expect(products.enabled.map(\.code) == ["new"])
  }

  @Test("refuse credits out of range", arguments: [Int.min, -1, 0, 1_000_000_001, Int.max])
  func credits(amount: Int) {
    #expect(throws: CreditProductsFailure.creditsOutOfRange(code: "a")) {
      try CreditProducts([product("a", "1", credits: amount, isEnabled: false)])
    }
  }

  @Test("accept the credits at both ends of the range", arguments: [1, 1_000_000_000])
  func creditsInRange(amount: Int) throws {
    #expect(try CreditProducts([product("a", "1", credits: amount)])["a"]?.credits == amount)
  }
}
