import EntitlementPolicy
import JSONValues

/// Fuzzes product lists: no crash; a list that loads is valid JSON, and its products obey the rules; every
/// failure and warning is short and in one line.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzProductList(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let json = Result { () throws(JSONValue.SyntaxFailure) in try JSONValue(parsing: bytes) }
  do throws(ProductListFailure) {
    let catalog = try ProductCatalog(json: bytes)
    check(catalog)
    if case .failure(.unexpectedByte) = json { preconditionFailure("a list that is no JSON") }
    if case .failure(.invalidString) = json { preconditionFailure("a list that is no text") }
    guard case .success(.array(let elements)) = json else { return 0 }
    let identifiers = Set(elements.map { $0["identifier"] })
    precondition(
      catalog.products.filter { $0.discountOf == nil }.allSatisfy { product in
        identifiers.contains(.string(product.identifier))
      }, "a product from nowhere")
  } catch {
    if case .notJSON = error.reason, case .success = json {
      preconditionFailure("JSON that is none")
    }
    checkLine(error.description)
  }
  return 0
}

private func check(_ catalog: ProductCatalog) {
  for product in catalog.products {
    precondition(catalog[product.identifier] == product, "another product")
    precondition((1...255).contains(product.identifier.utf8.count), "a long identifier")
    if let full = product.discountOf {
      precondition(
        catalog[full]?.discountedProducts?.contains(product.identifier) == true, "no discount")
    }
    for discount in product.discountedProducts ?? [] {
      precondition(catalog.discountOf(discount) == product.identifier, "another full price")
    }
    for entry in product.unlocks?.entries ?? [] {
      let matching = UnlockRule(entries: [entry])
      precondition(
        catalog.products.contains { $0.isUnlockable && matching.unlocks($0.identifier) },
        "an idle entry")
    }
  }
  precondition(catalog.warnings.count == min(catalog.warningCount, 1_000), "other warnings")
  var last = 0
  for warning in catalog.warnings {
    precondition(warning.index >= last, "warnings out of order")
    last = warning.index
    checkLine(warning.description)
  }
}

private func checkLine(_ text: String) {
  precondition(text.hasPrefix("product list: ") && text.utf8.count < 8192, "an unbounded message")
  precondition(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "two lines")
}
