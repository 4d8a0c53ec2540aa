/// Reads a YAML document of one file into a tree.
///
/// Source: credit rules, section 8.
struct YAMLTree: ~Copyable {
  private var reader: YAMLReader
  private var path = CatalogPath.file

  private init(_ reader: consuming YAMLReader) { self.reader = reader }

  /// The value of a file in UTF-8 without a byte-order mark; null for a file without a document.
  static func node(bytes: [UInt8]) throws(CatalogFault) -> CatalogNode {
    try refuseTagDirective(bytes)
    return try unsafe bytes.withUnsafeBufferPointer { buffer throws(CatalogFault) in
      do throws(YAMLFailure) {
        var tree = YAMLTree(try unsafe YAMLReader(buffer))
        return Result<CatalogNode, CatalogFault> { () throws(CatalogFault) in try tree.file() }
      } catch {
        return .failure(CatalogFault(.invalidYAML(error.reason), at: .file, line: error.line))
      }
    }.get()
  }

  /// Refuses a line that starts with `%TAG`, before libyaml compares each of a hundred thousand such lines
  /// with each other.
  private static func refuseTagDirective(_ bytes: [UInt8]) throws(CatalogFault) {
    let directive = Array("%TAG".utf8)
    let text = bytes.span
    var line = 1
    var index = 0
    var isStart = true
    while index < text.count {
      if isStart, bytes[index...].starts(with: directive) {
        throw CatalogFault(.unsupported(.tag), at: .file, line: line)
      }
      let length = YAMLLineBreak.length(at: index, in: text)
      isStart = length > 0
      line += isStart ? 1 : 0
      index += max(1, length)
    }
  }

  private mutating func file() throws(CatalogFault) -> CatalogNode {
    _ = try next()
    let start = try next()
    guard case .documentStart = start.kind else { return CatalogNode(.null, line: 1) }
    try refuseFeatures(of: start)
    let root = try node(try next(), depth: 0)
    _ = try next()
    let end = try next()
    guard case .streamEnd = end.kind else {
      throw CatalogFault(.unsupported(.secondDocument), at: .file, line: end.line)
    }
    return root
  }

  private mutating func next() throws(CatalogFault) -> YAMLEvent {
    do throws(YAMLFailure) {
      return try reader.next()
    } catch {
      throw CatalogFault(.invalidYAML(error.reason), at: path, line: error.line)
    }
  }

  /// Reads the value that an event begins.
  private mutating func node(_ event: YAMLEvent, depth: Int) throws(CatalogFault) -> CatalogNode {
    switch event.kind {
    case .scalar(let text, let isPlain):
      try refuseFeatures(of: event)
      return CatalogNode(isPlain ? CoreSchema.content(of: text) : .text(text), line: event.line)
    case .listStart:
      try checkStart(event, depth: depth)
      return CatalogNode(.list(try list(depth: depth + 1)), line: event.line)
    case .mapStart:
      try checkStart(event, depth: depth)
      return CatalogNode(.map(try map(depth: depth + 1)), line: event.line)
    case .alias:
      throw CatalogFault(.unsupported(.alias), at: path, line: event.line)
    case .streamStart, .streamEnd, .documentStart, .documentEnd, .listEnd, .mapEnd:
      throw CatalogFault(.invalidYAML(nil), at: path, line: event.line)
    }
  }

  private func checkStart(_ event: YAMLEvent, depth: Int) throws(CatalogFault) {
    try refuseFeatures(of: event)
    guard depth < CatalogLimits.depth else {
      throw CatalogFault(.tooDeep(limit: CatalogLimits.depth), at: path, line: event.line)
    }
  }

  private func refuseFeatures(of event: YAMLEvent) throws(CatalogFault) {
    guard !event.hasAnchor else {
      throw CatalogFault(.unsupported(.anchor), at: path, line: event.line)
    }
    guard !event.hasTag else { throw CatalogFault(.unsupported(.tag), at: path, line: event.line) }
  }

  private mutating func list(depth: Int) throws(CatalogFault) -> [CatalogNode] {
    var elements: [CatalogNode] = []
    while true {
      path.steps.append(.index(elements.count))
      let event = try next()
      if case .listEnd = event.kind { break }
      elements.append(try node(event, depth: depth))
      path.steps.removeLast()
    }
    path.steps.removeLast()
    return elements
  }

  private mutating func map(depth: Int) throws(CatalogFault) -> [CatalogEntry] {
    var keys = CatalogKeys()
    var entries: [CatalogEntry] = []
    while true {
      let event = try next()
      if case .mapEnd = event.kind { return entries }
      let key = try key(event)
      path.steps.append(.key(key))
      try keys.add(key, at: path, line: event.line)
      entries.append(
        CatalogEntry(key: key, line: event.line, value: try node(try next(), depth: depth)))
      path.steps.removeLast()
    }
  }

  /// Reads a key, which is text as in JSON: `60` and `"60"` are the same key.
  private func key(_ event: YAMLEvent) throws(CatalogFault) -> String {
    try refuseFeatures(of: event)
    switch event.kind {
    case .scalar(let text, let isPlain):
      guard !isPlain || text != "<<" else {
        throw CatalogFault(.unsupported(.mergeKey), at: path, line: event.line)
      }
      return text
    case .alias:
      throw CatalogFault(.unsupported(.alias), at: path, line: event.line)
    default:
      throw CatalogFault(.wrongType(expected: .textKey), at: path, line: event.line)
    }
  }
}
