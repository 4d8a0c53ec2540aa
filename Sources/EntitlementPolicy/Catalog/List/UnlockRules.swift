internal import JSONValues

/// The rules of all subscriptions for what they unlock, and what none unlocks.
///
/// Source: entitlement rules, sections 1 and 5.2.
struct UnlockRules {
  /// The rule of each element, or nil if it has none or is no subscription.
  private(set) var rules: [UnlockRule?] = []
  /// The warnings about entries that match nothing.
  private(set) var log = WarningLog()
  /// The rule for what any subscription unlocks, or nil for everything.
  private(set) var union: UnlockRule?

  private let products: SortedIdentifiers
  private var all = UnlockMatches()
  private var hasUnlimited = false
  /// The rule of the subscription before.
  private var last: UnlockRule?
  /// The long beginnings of all rules, which share them.
  private var texts: [UnlockMatches.Beginning: UniqueText] = [:]

  /// Computes the rules of elements.
  init(of elements: [ListedElement], unlockable: [UniqueText]) {
    products = SortedIdentifiers(unlockable)
    for element in elements { rules.append(rule(of: element)) }
    all.normalize(in: products)
    union = hasUnlimited ? nil : all.rule(in: products, sharing: &texts)
    (last, texts) = (nil, [:])
  }

  private mutating func rule(of element: ListedElement) -> UnlockRule? {
    guard element.type.isSubscription else { return nil }
    guard let entries = element.unlocks else {
      hasUnlimited = true
      return nil
    }
    var matches = UnlockMatches()
    for (position, entry) in entries.enumerated() where !matches.add(entry, in: products) {
      log.add(
        .unlocksNothing, element: element.index, row: .unlocks,
        key: "\(ElementKey.unlocks.rawValue)[\(position)]", value: entry)
    }
    matches.normalize(in: products)
    all.add(matches, in: products)
    let rule = matches.rule(in: products, sharing: &texts)
    // Neighbours are often equal, and then share their memory.
    guard let last, last == rule else {
      last = rule
      return rule
    }
    return last
  }
}
