internal import JSONValues

/// The products that are discounts of others.
///
/// The first product that lists an identifier as a discount is its full-price product. Source:
/// entitlement rules, sections 1 and 2.
struct DiscountLinks {
  /// The full-price product of each discount.
  private(set) var fullPrices: [UniqueText: UniqueText] = [:]
  /// The discounts of each element in its order, or nil if it lists none.
  private(set) var discounts: [[UniqueText]?] = []
  /// The warnings about discounts.
  private(set) var log = WarningLog()

  /// Links the discounts of elements.
  ///
  /// - Throws: ``ProductListFailure/Reason/tooMany`` if elements and generated discounts are too many.
  init(
    of elements: [ListedElement], identifiers: Set<UniqueText>
  ) throws(ProductListFailure) {
    var count = elements.count
    for element in elements {
      guard let texts = element.discounts else {
        discounts.append(nil)
        continue
      }
      var own: [UniqueText] = []
      for (position, text) in texts.enumerated() {
        let discount = UniqueText(text)
        guard discount != element.identifier, fullPrices[discount] == nil else {
          add(.discountRepeated, at: position, of: element, value: text)
          continue
        }
        fullPrices[discount] = element.identifier
        own.append(discount)
        if identifiers.contains(discount) {
          add(.discountAlreadyListed, at: position, of: element, value: text)
          continue
        }
        count += 1
        guard count <= ProductCatalog.maximumProductCount else {
          throw ProductListFailure(.tooMany)
        }
      }
      discounts.append(own)
    }
  }

  private mutating func add(
    _ code: CatalogWarning.Code, at position: Int, of element: ListedElement, value: String
  ) {
    log.add(
      code, element: element.index, row: .discountedProducts,
      key: "\(ElementKey.discountedProducts.rawValue)[\(position)]", value: value)
  }
}
