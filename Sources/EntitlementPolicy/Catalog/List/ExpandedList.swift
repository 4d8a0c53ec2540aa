internal import JSONValues

/// The products of a list, with the discounts generated, and all warnings.
///
/// Source: entitlement rules, sections 1 and 2.
struct ExpandedList {
  private(set) var products: [CatalogProduct] = []
  private let discounts: DiscountLinks
  private let unlocks: UnlockRules
  private let reading: [WarningLog]
  private var unreachable = WarningLog()

  var logs: [WarningLog] { reading + [discounts.log, unlocks.log, unreachable] }

  /// Expands a list.
  init(_ list: ProductListReader) throws(ProductListFailure) {
    discounts = try DiscountLinks(of: list.elements, identifiers: list.identifiers)
    reading = [list.log, list.contents]
    var unlockable: [UniqueText] = []
    for (element, discounts) in zip(list.elements, discounts.discounts)
    where element.type.isUnlockable {
      unlockable.append(element.identifier)
      unlockable += (discounts ?? []).filter { !list.identifiers.contains($0) }
    }
    unlocks = UnlockRules(of: list.elements, unlockable: unlockable)
    products.reserveCapacity(list.elements.count)
    for (place, element) in list.elements.enumerated() {
      append(element, discounts: discounts.discounts[place], unlocks: unlocks.rules[place])
      for discount in discounts.discounts[place] ?? [] where !list.identifiers.contains(discount) {
        append(element, as: discount, unlocks: unlocks.rules[place])
      }
    }
  }

  /// Appends the product of an element, or a discount of it, which is a copy with another identifier.
  private mutating func append(
    _ element: ListedElement, as discount: UniqueText? = nil, discounts own: [UniqueText]? = nil,
    unlocks rule: UnlockRule?
  ) {
    let identifier = discount ?? element.identifier
    let product = CatalogProduct(
      identifier: identifier, type: element.type, isSubscribersOnly: element.isSubscribersOnly,
      discounts: own, fullPrice: discounts.fullPrices[identifier], content: element.content,
      unlocks: rule)
    products.append(product)
    noteReach(of: product, element: element.index)
  }

  /// Notes a product that only subscribers may have, and none of them can.
  private mutating func noteReach(of product: CatalogProduct, element index: Int) {
    guard product.isSubscribersOnly, !product.isSubscription else { return }
    let isUnlocked = unlocks.union?.unlocks(product.identifier) ?? true
    guard !product.isUnlockable || !isUnlocked else { return }
    unreachable.add(
      .subscribersOnlyUnreachable, element: index, row: .isSubscribersOnly,
      key: ElementKey.isSubscribersOnly.rawValue, value: product.identifier)
  }
}
