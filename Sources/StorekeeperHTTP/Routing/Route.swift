internal import HTTPMessages

/// A path of a contract below its mount, with the operations of the path.
struct Route<API: RoutedAPI>: Sendable {
  /// The path as a template, such as `/apple/subs/{id}`.
  let path: String
  let operations: [Operation<API>]
  /// The path up to its ID, or the whole path if it has none.
  private let start: Substring.UTF8View
  private let hasID: Bool

  init(path: String, operations: [Operation<API>]) {
    self.path = path
    self.operations = operations
    hasID = path.hasSuffix(Self.placeholder)
    start = path.dropLast(hasID ? Self.placeholder.count : 0).utf8
  }

  /// The methods of the operations, in the order of the contract.
  var methods: [HTTPRequestMethod] { operations.map(\.method) }

  func operation(for method: HTTPRequestMethod) -> Operation<API>? {
    operations.first { $0.method == method }
  }

  // MARK: Matching

  private static var placeholder: String { "{id}" }

  /// Returns the ID in a path, or an empty text if the route has no ID; nil if the path does not
  /// match.
  func id(in path: Substring.UTF8View) -> String? {
    guard path.starts(with: start) else { return nil }
    let id = path.dropFirst(start.count)
    guard hasID else { return id.isEmpty ? "" : nil }
    guard !id.isEmpty, !id.contains(UInt8(ascii: "/")) else { return nil }
    return String(decoding: id, as: UTF8.self)
  }
}
