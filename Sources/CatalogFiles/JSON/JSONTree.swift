internal import JSONValues

/// Makes a tree of JSON text, which keeps the order of members and refuses those that are there twice.
///
/// Source: credit rules, section 8.
struct JSONTree {
  private let text: JSONText
  private var path = CatalogPath.file

  private init(_ text: JSONText) {
    self.text = text
  }

  /// The value of a file in UTF-8 without a byte-order mark, before which the file has a number of bytes.
  static func node(bytes: [UInt8], offset: Int) throws(CatalogFault) -> CatalogNode {
    var tree: JSONTree
    do throws(JSONValue.SyntaxFailure) {
      tree = JSONTree(try JSONText(checking: bytes, within: .knownMembers))
    } catch {
      throw CatalogFault(problem(error, offset: offset), at: .file, line: nil)
    }
    return try tree.node(at: tree.text.root, depth: 0)
  }

  private static func problem(
    _ failure: JSONValue.SyntaxFailure, offset: Int
  ) -> CatalogProblem {
    switch failure {
    case .unexpectedByte(let place), .invalidString(let place), .numberOutOfRange(let place),
      .nameTooLong(let place, _):
      .invalidJSON(offset: place + offset)
    case .tooDeep: .tooDeep(limit: CatalogLimits.depth)
    @unknown default: .invalidJSON(offset: nil)
    }
  }

  private mutating func node(
    at place: JSONText.Place, depth: Int
  ) throws(CatalogFault) -> CatalogNode {
    let content: CatalogNode.Content =
      switch text.kind(at: place) {
      case .object: .map(try map(at: place, depth: depth))
      case .array: .list(try list(at: place, depth: depth))
      case .string: .text(text.string(at: place) ?? "")
      case .boolean: .boolean(text.boolean(at: place) ?? false)
      case .null: .null
      default: number(at: place)
      }
    return CatalogNode(content, line: nil)
  }

  private mutating func map(
    at place: JSONText.Place, depth: Int
  ) throws(CatalogFault) -> [CatalogEntry] {
    var keys = CatalogKeys()
    var entries: [CatalogEntry] = []
    try check(depth)
    for member in text.members(at: place) {
      let key = text.string(at: member.name) ?? ""
      path.steps.append(.key(key))
      try keys.add(key, at: path, line: nil)
      let value = try node(at: member.value, depth: depth + 1)
      entries.append(CatalogEntry(key: key, line: nil, value: value))
      path.steps.removeLast()
    }
    return entries
  }

  private mutating func list(
    at place: JSONText.Place, depth: Int
  ) throws(CatalogFault) -> [CatalogNode] {
    var elements: [CatalogNode] = []
    try check(depth)
    for element in text.elements(at: place) {
      path.steps.append(.index(elements.count))
      elements.append(try node(at: element, depth: depth + 1))
      path.steps.removeLast()
    }
    return elements
  }

  private func check(_ depth: Int) throws(CatalogFault) {
    guard depth < CatalogLimits.depth else {
      throw CatalogFault(.tooDeep(limit: CatalogLimits.depth), at: path, line: nil)
    }
  }

  private func number(at place: JSONText.Place) -> CatalogNode.Content {
    if let integer = text.integer(at: place) { return .integer(integer) }
    let digits = text.number(at: place) ?? ""
    let isWhole = digits.utf8.allSatisfy {
      $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e")
    }
    return isWhole ? .wideInteger : .number(Double(digits) ?? .nan)
  }
}
