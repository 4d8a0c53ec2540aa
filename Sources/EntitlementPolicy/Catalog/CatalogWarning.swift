internal import JSONValues

/// A doubtful entry of a product list, which loads all the same.
///
/// The description has one line, such as `product list: element 6, key "unlocks[0]":
/// unlocks_nothing "com.example.draw.x*"`. Source: entitlement rules, section 1.
public struct CatalogWarning: Hashable, Sendable {
  public let code: Code
  /// The index of the element, from 0; a generated discount has that of its full-price product.
  public let index: Int
  /// The path of the key, such as `discountedProducts[2]`, cut after 255 bytes.
  public let key: String
  /// The text in doubt, cut after 255 bytes, or nil for an unknown key.
  public let value: String?

  /// A kind of a warning.
  @nonexhaustive
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The identifier was that of an element before; this element is dropped.
    case duplicateIdentifier = "duplicate_identifier"
    /// A discount is an element, too; nothing is generated, and the element is the discount.
    case discountAlreadyListed = "discount_already_listed"
    /// A discount is its own full-price product or was listed as a discount before; it is ignored.
    case discountRepeated = "discount_repeated"
    /// A product that is no subscription has discounts; they are generated.
    case discountOnNonSubscription = "discount_on_non_subscription"
    /// A product that is no subscription has `unlocks`, which is ignored.
    case unlocksOnNonSubscription = "unlocks_on_non_subscription"
    /// An entry of `unlocks` matches no product that can be unlocked.
    case unlocksNothing = "unlocks_nothing"
    /// No listed subscription unlocks the subscribers-only product.
    case subscribersOnlyUnreachable = "subscribers_only_unreachable"
    /// A subscription is subscribers-only; it can never be obtained.
    case subscribersOnlySubscription = "subscribers_only_subscription"
    /// The address of remote content has no host name; fetching fails.
    case contentURLWithoutHost = "content_url_without_host"
    /// The type of a content descriptor has no meaning; fetching fails.
    case unknownContentType = "unknown_content_type"
    /// A key has no meaning and is ignored.
    case unknownKey = "unknown_key"
  }
}

extension CatalogWarning: CustomStringConvertible {
  /// The place, the code and the value in one line.
  public var description: String {
    "product list: element \(index), key \(key.quoted): \(code.rawValue)"
      + (value.map { " \($0.quoted)" } ?? "")
  }
}

/// The first warnings of one look at a list, and the number of all.
///
/// Each look notes them in the order of elements, and for one element in the order of its keys, so that the
/// first of all looks together are among the first of each.
struct WarningLog {
  private(set) var count = 0
  private var entries: [Entry] = []

  private struct Entry {
    let row: Int
    let warning: CatalogWarning
  }

  /// Notes a warning about an element.
  ///
  /// The path of the key and the value are computed only if the warning is kept. The row is the key of the
  /// element to which it belongs, or nil for unknown keys, which come last.
  mutating func add(
    _ code: CatalogWarning.Code, element index: Int, row: ElementKey?,
    key: @autoclosure () -> String, value: @autoclosure () -> String?
  ) {
    count += 1
    guard entries.count < ProductCatalog.maximumWarningCount else { return }
    let warning = CatalogWarning(code: code, index: index, key: key().cut, value: value()?.cut)
    entries.append(Entry(row: row?.row ?? ElementKey.allCases.count, warning: warning))
  }

  /// The warnings of several looks, in the order of elements and keys.
  static func merged(_ logs: [WarningLog]) -> [CatalogWarning] {
    let entries = logs.flatMap(\.entries).enumerated().sorted { one, other in
      (one.element.warning.index, one.element.row, one.offset)
        < (other.element.warning.index, other.element.row, other.offset)
    }
    return entries.prefix(ProductCatalog.maximumWarningCount).map(\.element.warning)
  }
}
