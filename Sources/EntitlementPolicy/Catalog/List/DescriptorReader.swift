internal import JSONValues

/// Reads a content descriptor, and those inside it.
///
/// The faults have the words of the product list: a `fallback` with more than eight sources, or inside three
/// others, is `tooMany` at its `sources`; one without sources misses `sources[0]`. The optional keys are absent
/// or have a value, so null is a wrong type. Digests may have either case. Source: entitlement rules, sections
/// 1 and 8.
struct DescriptorReader {
  private let text: JSONText
  private let index: Int
  private(set) var log: WarningLog
  /// The positions in `sources` that lead to the descriptor.
  private var positions: [Int] = []

  init(_ text: JSONText, element index: Int, log: WarningLog) {
    self.text = text
    self.index = index
    self.log = log
  }

  private enum Key: String { case type, url = "URL", sha256, maxBytes, sources }

  mutating func descriptor(
    at place: JSONText.Place
  ) throws(ProductListFailure) -> ContentDescriptor {
    guard text.kind(at: place) == .object else {
      throw failure(.wrongType(expected: .object), at: nil)
    }
    let object = ListedObject<Key>(text, at: place)
    switch try string(object[.type], Key.type.rawValue) {
    case "remote", "BZRRemoteContentFetcher":
      let source = try source(object)
      noteHost(of: source)
      return .remote(source)
    case "local": return .local(try source(object))
    case "fallback": return .fallback(try sources(object))
    case let type:
      add(.unknownContentType, at: Key.type.rawValue, value: type)
      return .unknown(type: type)
    }
  }

  private mutating func source(
    _ object: ListedObject<Key>
  ) throws(ProductListFailure) -> ContentSource {
    let source = ContentSource(
      url: try string(object[.url], Key.url.rawValue), sha256: try digest(object[.sha256]),
      maximumByteCount: try byteCount(object[.maxBytes]))
    noteUnknownKeys(of: object, besides: [.type, .url, .sha256, .maxBytes])
    return source
  }

  private func digest(_ place: JSONText.Place?) throws(ProductListFailure) -> String? {
    guard let place else { return nil }
    let key = Key.sha256.rawValue
    guard let digest = text.string(at: place, limit: 64) else {
      throw failure(.wrongType(expected: .string), at: key)
    }
    guard digest.utf8.count == 64, digest.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit)
    else {
      throw failure(.badText, at: key)
    }
    return digest.lowercased()
  }

  private func byteCount(_ place: JSONText.Place?) throws(ProductListFailure) -> Int? {
    guard let place else { return nil }
    guard let count = text.integer(at: place), count > 0 else {
      throw failure(.wrongType(expected: .positiveInteger), at: Key.maxBytes.rawValue)
    }
    return count
  }

  private mutating func sources(
    _ object: ListedObject<Key>
  ) throws(ProductListFailure) -> [ContentDescriptor] {
    let key = Key.sources.rawValue
    guard let array = object[.sources], text.kind(at: array) != .null else {
      throw failure(.missing, at: key)
    }
    guard text.kind(at: array) == .array else {
      throw failure(.wrongType(expected: .array), at: key)
    }
    let places = Array(text.elements(at: array).prefix(ContentDescriptor.maximumSourceCount + 1))
    guard !places.isEmpty else { throw failure(.missing, at: "\(key)[0]") }
    guard places.count <= ContentDescriptor.maximumSourceCount,
      positions.count < ContentDescriptor.maximumNesting
    else { throw failure(.tooMany, at: key) }
    var sources: [ContentDescriptor] = []
    for (position, place) in places.enumerated() {
      positions.append(position)
      sources.append(try descriptor(at: place))
      positions.removeLast()
    }
    noteUnknownKeys(of: object, besides: [.type, .sources])
    return sources
  }

  private func string(
    _ place: JSONText.Place?, _ key: String
  ) throws(ProductListFailure) -> String {
    guard let place, text.kind(at: place) != .null else { throw failure(.missing, at: key) }
    guard let string = text.string(at: place) else {
      throw failure(.wrongType(expected: .string), at: key)
    }
    return string
  }
}

// MARK: Lint

extension DescriptorReader {
  private mutating func noteHost(of source: ContentSource) {
    guard ContentURL(source.url)?.host.isEmpty ?? true else { return }
    add(.contentURLWithoutHost, at: Key.url.rawValue, value: source.url)
  }

  private mutating func noteUnknownKeys(of object: ListedObject<Key>, besides known: [Key]) {
    object.forEachUnknownKey(besides: known) { add(.unknownKey, at: $0, value: nil) }
  }

  private mutating func add(_ code: CatalogWarning.Code, at key: String, value: String?) {
    let positions = positions
    log.add(
      code, element: index, row: .contentFetcherParameters, key: Self.path(positions, key),
      value: value)
  }

  private func failure(
    _ reason: ProductListFailure.Reason, at key: String?
  ) -> ProductListFailure {
    ProductListFailure(reason, index: index, key: Self.path(positions, key))
  }

  /// The path of a key, or of the descriptor itself.
  private static func path(_ positions: [Int], _ key: String?) -> String {
    let steps = [ElementKey.contentFetcherParameters.rawValue] + positions.map { "sources[\($0)]" }
    return (steps + (key.map { [$0] } ?? [])).joined(separator: ".")
  }
}
