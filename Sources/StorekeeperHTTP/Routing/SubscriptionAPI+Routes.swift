public import HTTPMessages
public import LinkPolicy

/// A path of a contract, with what may be asked of it.
public struct APIRoute: Hashable, Sendable {
  /// The path below its mount, such as `/apple/subs/{id}`.
  public let path: String
  /// The methods that it knows, in the order of its `Allow` field.
  public let methods: [HTTPMethod]
}

extension SubscriptionAPI {
  /// The routes of a contract below its mounts: for hosts whose server wants every route by name.
  public static func routes(of contract: LinkContract) -> [APIRoute] {
    Route.all(contract).map { APIRoute(path: $0.path, methods: $0.methods) }
  }
}
