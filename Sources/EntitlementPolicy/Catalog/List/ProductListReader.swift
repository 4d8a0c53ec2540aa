internal import JSONValues

/// Reads a list: faults of the whole file first, then element by element.
///
/// Source: entitlement rules, section 1.
struct ProductListReader {
  /// The elements, without those whose identifier was an element before.
  private(set) var elements: [ListedElement] = []
  private(set) var identifiers: Set<UniqueText> = []
  /// The warnings about keys of single elements, but for their content.
  private(set) var log = WarningLog()
  /// The warnings about content.
  private(set) var contents = WarningLog()

  /// Reads a list.
  init(_ json: [UInt8]) throws(ProductListFailure) {
    let text = try Self.text(json)
    guard text.kind(at: text.root) == .array else { throw ProductListFailure(.notAnArray) }
    let count = text.elements(at: text.root).prefix(ProductCatalog.maximumElementCount + 1)
      .reduce(0) { count, _ in count + 1 }
    guard count <= ProductCatalog.maximumElementCount else { throw ProductListFailure(.tooMany) }
    elements.reserveCapacity(count)
    identifiers.reserveCapacity(count)
    for (index, place) in text.elements(at: text.root).enumerated() {
      try read(try ElementReader(text, element: index, at: place))
    }
  }

  private static func text(_ json: [UInt8]) throws(ProductListFailure) -> JSONText {
    guard json.count <= ProductCatalog.maximumByteCount else {
      throw ProductListFailure(.tooLarge(limit: ProductCatalog.maximumByteCount))
    }
    do throws(JSONValue.SyntaxFailure) {
      return try JSONText(checking: json)
    } catch {
      throw ProductListFailure(.notJSON(offset: error.offset))
    }
  }

  /// Reads an element, and keeps it unless its identifier is known; then only that is noted.
  private mutating func read(_ reader: ElementReader) throws(ProductListFailure) {
    let contentsBefore = contents
    let element = try reader.element(&contents)
    guard identifiers.insert(element.identifier).inserted else {
      contents = contentsBefore
      add(.duplicateIdentifier, .identifier, of: element, value: element.identifier.text)
      return
    }
    elements.append(element)
    noteMisplacedKeys(of: element)
    reader.object.forEachUnknownKey(besides: ElementKey.allCases) { name in
      log.add(.unknownKey, element: element.index, row: nil, key: name, value: nil)
    }
  }

  private mutating func noteMisplacedKeys(of element: ListedElement) {
    let type = element.type
    if element.isSubscribersOnly, type.isSubscription {
      add(
        .subscribersOnlySubscription, .isSubscribersOnly, of: element,
        value: element.identifier.text)
    }
    if element.discounts != nil, !type.isSubscription {
      add(.discountOnNonSubscription, .discountedProducts, of: element, value: type.rawValue)
    }
    if element.unlocks != nil, !type.isSubscription {
      add(.unlocksOnNonSubscription, .unlocks, of: element, value: type.rawValue)
    }
  }

  private mutating func add(
    _ code: CatalogWarning.Code, _ key: ElementKey, of element: ListedElement, value: String
  ) {
    log.add(code, element: element.index, row: key, key: key.rawValue, value: value)
  }
}
