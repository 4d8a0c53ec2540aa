internal import HTTPMessages

/// A path of a contract below its mount, with what may be asked of it.
struct Route: Sendable {
  /// Such as `/apple/subs/{id}`.
  let path: String
  let operations: [Operation]
  /// What stands before the id, or the whole path where there is none in it.
  private let start: Substring.UTF8View
  private let hasID: Bool

  init(path: String, operations: [Operation]) {
    self.path = path
    self.operations = operations
    hasID = path.hasSuffix(Self.placeholder)
    start = path.dropLast(hasID ? Self.placeholder.count : 0).utf8
  }

  /// The methods that it knows, in the order of the contract.
  var methods: [HTTPRequestMethod] { operations.map(\.method) }

  func operation(for method: HTTPRequestMethod) -> Operation? {
    operations.first { $0.method == method }
  }

  // MARK: Matching

  private static let placeholder = "{id}"

  /// What the path has in the place of the id, or an empty text where the route has none; nil where
  /// they do not match.
  func id(in path: Substring.UTF8View) -> String? {
    guard path.starts(with: start) else { return nil }
    let id = path.dropFirst(start.count)
    guard hasID else { return id.isEmpty ? "" : nil }
    guard !id.isEmpty, !id.contains(UInt8(ascii: "/")) else { return nil }
    return String(decoding: id, as: UTF8.self)
  }
}
