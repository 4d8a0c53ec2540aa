internal import HTTPMessages

/// A path of a contract below its mount, with what may be asked of it.
struct Route: Sendable {
  /// Such as `/apple/subs/{id}`.
  let path: String
  let operations: [Operation]

  /// The methods that it knows, in the order of the contract.
  var methods: [HTTPMethod] { operations.map(\.method) }

  func operation(for method: HTTPMethod) -> Operation? {
    operations.first { $0.method == method }
  }

  // MARK: Matching

  private static let placeholder = "{id}"

  /// What the path has in the place of the id, or an empty text where the route has none; nil where
  /// they do not match.
  func id(in path: Substring.UTF8View) -> String? {
    guard self.path.hasSuffix(Self.placeholder) else {
      return path.elementsEqual(self.path.utf8) ? "" : nil
    }
    let start = self.path.dropLast(Self.placeholder.count)
    guard path.starts(with: start.utf8) else { return nil }
    let id = path.dropFirst(start.utf8.count)
    guard !id.isEmpty, !id.contains(UInt8(ascii: "/")) else { return nil }
    return String(decoding: id, as: UTF8.self)
  }
}
