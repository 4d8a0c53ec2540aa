public import HTTPMessages

/// A path that is served, with what may be asked of it.
public struct APIRoute: Hashable, Sendable {
  /// The whole path, such as `/api/v1/apple/subs/{id}`.
  public let path: String
  /// The methods that it knows, in the order of its `Allow` field.
  public let methods: [HTTPRequestMethod]
}
