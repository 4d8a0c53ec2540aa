internal import HTTPMessages

/// A path of a contract below its mount, with the operations of the path.
struct Route<API: RoutedAPI>: Sendable {
  /// The path as a template, such as `/apple/subs/{id}`.
  let path: String
  let operations: [Operation<API>]
  /// The path up to its ID, or the whole path if it has none.
  private let start: Substring.UTF8View
  /// The path after its ID; nil if it has none.
  private let end: Substring.UTF8View?

  /// Creates a route.
  ///
  /// - Parameters:
  ///   - path: The path, with at most one placeholder such as `{id}`, which stands for a whole segment.
  ///   - operations: The operations, in the order of the contract.
  init(path: String, operations: [Operation<API>]) {
    self.path = path
    self.operations = operations
    let bytes = path.utf8
    if let open = bytes.firstIndex(of: UInt8(ascii: "{")),
      let close = bytes[open...].firstIndex(of: UInt8(ascii: "}"))
    {
      start = bytes[..<open]
      end = bytes[bytes.index(after: close)...]
    } else {
      start = bytes[...]
      end = nil
    }
  }

  /// The methods of the operations, in the order of the contract.
  var methods: [HTTPRequestMethod] { operations.map(\.method) }

  func operation(for method: HTTPRequestMethod) -> Operation<API>? {
    operations.first { $0.method == method }
  }

  // MARK: Matching

  /// Returns the ID in a path as it was sent, or an empty text if the route has no ID; nil if the path
  /// does not match.
  func id(in path: Substring.UTF8View) -> String? {
    guard path.starts(with: start) else { return nil }
    let rest = path.dropFirst(start.count)
    guard let end else { return rest.isEmpty ? "" : nil }
    guard rest.count > end.count, rest.suffix(end.count).elementsEqual(end) else { return nil }
    let id = rest.dropLast(end.count)
    guard !id.contains(UInt8(ascii: "/")) else { return nil }
    return String(decoding: id, as: UTF8.self)
  }
}

/// An operation of a route: a method, with the checks that precede it.
struct Operation<API: RoutedAPI>: Sendable {
  typealias Run = @Sendable (API, Call<API>) async throws -> HTTPResponseMessage

  let method: HTTPRequestMethod
  /// The conditions under which the operation is open to a caller.
  let access: API.Access
  var readsBody = false
  let run: Run
}
