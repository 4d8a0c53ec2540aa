internal import StorekeeperLocks
public import HTTPMessages
public import ReceiptModels

extension AppStoreSimulator {
  /// The settings of the server APIs; changes hold from the next request on.
  public var serverAPI: ServerAPISettings {
    get { state.withLock { $0.serverAPI.settings } }
    set { state.withLock { $0.serverAPI.settings = newValue } }
  }

  /// Registers another key of the same issuer, as a rotation of keys needs.
  ///
  /// - Returns: The new key; the others stay valid.
  public func addServerAPIKey() throws -> TestServerAPIKey {
    let key = try TestServerAPIKey(issuerID: serverAPIKey.issuerID)
    let registered = try RegisteredServerAPIKey(key)
    state.withLock { $0.serverAPI.keys.append(registered) }
    return key
  }

  /// Revokes a key: requests with its tokens are refused with 401 from now on.
  public func revokeServerAPIKey(_ keyID: String) {
    state.withLock { $0.serverAPI.keys.removeAll { $0.keyID == keyID } }
  }

  /// A request to the server APIs that arrived, without its token.
  public struct ServerAPIRequest: Hashable, Sendable {
    public let environment: AppStoreEnvironment
    public let method: HTTPRequestMethod
    /// The path with its query, as it was sent.
    public let target: String
    public let body: [UInt8]
    /// The fault that affected the request.
    public let fault: ServerAPIFault?
  }

  /// The requests to the server APIs that arrived, in order.
  public var serverAPIRequests: [ServerAPIRequest] { state.withLock { $0.serverAPI.requests } }
}
