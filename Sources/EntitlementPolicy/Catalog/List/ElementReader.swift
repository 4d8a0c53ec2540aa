internal import JSONValues

/// Reads one element of a list, key by key in their order.
///
/// Source: entitlement rules, section 1.
struct ElementReader {
  let text: JSONText
  let index: Int
  let object: ListedObject<ElementKey>

  /// Creates a reader of the element at a place.
  init(_ text: JSONText, element index: Int, at place: JSONText.Place) throws(ProductListFailure) {
    guard text.kind(at: place) == .object else {
      throw ProductListFailure(.notAnObject, index: index)
    }
    self.text = text
    self.index = index
    object = ListedObject(text, at: place)
  }

  /// Reads the element, and notes what is doubtful about its content.
  func element(_ log: inout WarningLog) throws(ProductListFailure) -> ListedElement {
    ListedElement(
      index: index, identifier: try identifier(), type: try type(),
      isSubscribersOnly: try isSubscribersOnly(),
      discounts: try texts(.discountedProducts, each: .identifier), content: try content(&log),
      unlocks: try texts(.unlocks, each: .pattern))
  }

  private func identifier() throws(ProductListFailure) -> UniqueText {
    let identifier = try string(.identifier, limit: IdentifierRule.maximumByteCount)
    guard IdentifierRule.identifier.accepts(identifier) else {
      throw failure(.badText, at: .identifier)
    }
    return UniqueText(identifier)
  }

  private func type() throws(ProductListFailure) -> CatalogProductType {
    let word = try string(.productType, limit: String.quotedByteCount)
    guard let type = CatalogProductType(rawValue: word) else {
      throw failure(.unknownValue(word.cut), at: .productType)
    }
    return type
  }

  private func isSubscribersOnly() throws(ProductListFailure) -> Bool {
    guard let place = object[.isSubscribersOnly] else { return false }
    guard let isSubscribersOnly = text.boolean(at: place) else {
      throw failure(.wrongType(expected: .boolean), at: .isSubscribersOnly)
    }
    return isSubscribersOnly
  }

  private func content(_ log: inout WarningLog) throws(ProductListFailure) -> ContentDescriptor? {
    guard let place = valueOrNull(.contentFetcherParameters) else { return nil }
    var reader = DescriptorReader(text, element: index, log: log)
    defer { log = reader.log }
    return try reader.descriptor(at: place)
  }

  private func texts(
    _ key: ElementKey, each rule: IdentifierRule
  ) throws(ProductListFailure) -> ListedTexts? {
    guard let array = valueOrNull(key) else { return nil }
    guard text.kind(at: array) == .array else {
      throw failure(.wrongType(expected: .array), at: key)
    }
    for (position, place) in text.elements(at: array).enumerated() {
      guard let entry = text.string(at: place, limit: IdentifierRule.maximumByteCount) else {
        throw failure(.wrongType(expected: .string), at: key, position: position)
      }
      guard rule.accepts(entry) else { throw failure(.badText, at: key, position: position) }
    }
    return text.strings(at: array, limit: IdentifierRule.maximumByteCount)
  }

  private func string(_ key: ElementKey, limit: Int) throws(ProductListFailure) -> String {
    guard let place = valueOrNull(key) else { throw failure(.missing, at: key) }
    guard let string = text.string(at: place, limit: limit) else {
      throw failure(.wrongType(expected: .string), at: key)
    }
    return string
  }

  /// The place of a value, or nil if it is absent or null.
  private func valueOrNull(_ key: ElementKey) -> JSONText.Place? {
    object[key].flatMap { text.kind(at: $0) == .null ? nil : $0 }
  }

  private func failure(
    _ reason: ProductListFailure.Reason, at key: ElementKey, position: Int? = nil
  ) -> ProductListFailure {
    let path = key.rawValue + (position.map { "[\($0)]" } ?? "")
    return ProductListFailure(reason, index: index, key: path)
  }
}

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
