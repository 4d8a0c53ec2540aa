/// A key of an element, in the order in which they are checked.
///
/// Source: entitlement rules, section 1.
enum ElementKey: String, CaseIterable {
  case identifier
  case productType
  case isSubscribersOnly
  case discountedProducts
  case contentFetcherParameters
  case unlocks

  var row: Int {
    switch self {
    case .identifier: 0
    case .productType: 1
    case .isSubscribersOnly: 2
    case .discountedProducts: 3
    case .contentFetcherParameters: 4
    case .unlocks: 5
    }
  }
}
