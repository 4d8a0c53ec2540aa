internal import StorekeeperCrypto
internal import JSONValues
public import ReceiptModels

/// A test environment, whose data Apple does not sign.
public enum LocalEnvironment: Hashable, Sendable {
  case xcode
  case localTesting

  /// The environment that the payloads name.
  public var environment: AppStoreEnvironment {
    switch self {
    case .xcode: .xcode
    case .localTesting: .localTesting
    }
  }
}

/// A payload of Xcode or of a local test, which proves nothing: Apple did not sign it.
///
/// This is a separate type, so that it cannot be passed in place of ``Verified``.
public struct LocalTestData<Payload: Sendable>: Sendable {
  public let payload: Payload
  /// The environment that the reader accepts and the payload names.
  public let environment: AppStoreEnvironment
  public let token: String
}

extension LocalTestData: CustomStringConvertible, CustomReflectable {
  /// The kind of payload and the environment, never the token or the payload.
  public var description: String { "LocalTestData<\(Payload.self)>(\(environment))" }

  /// An empty mirror, so that `dump` shows no customer data.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A reader of data from StoreKit testing in Xcode or from local tests, for a developer's machine.
///
/// Anyone can make such data, so the reader checks no signature, only the form, the environment and
/// the bundle ID. Never offer it to clients of a public server. A reader accepts exactly one
/// environment, which must be named in code; ``SignedDataVerifier`` accepts none of these. Source:
/// `Documentation/rules/app-store-rules.md`.
public struct LocalTestDataReader: Sendable {
  public let environment: LocalEnvironment
  public let bundleIDs: Set<String>

  /// Creates a reader for one environment.
  public init(environment: LocalEnvironment, bundleIDs: Set<String>) {
    self.environment = environment
    self.bundleIDs = bundleIDs
  }

  /// Reads a transaction.
  public func transaction(
    _ token: String
  ) throws(SignedDataFailure) -> LocalTestData<Transaction> {
    try read(token)
  }

  /// Reads renewal info, which names no app.
  public func renewalInfo(
    _ token: String
  ) throws(SignedDataFailure) -> LocalTestData<RenewalInfo> {
    try read(token)
  }

  /// Reads an app transaction.
  public func appTransaction(
    _ token: String
  ) throws(SignedDataFailure) -> LocalTestData<AppTransaction> {
    try read(token)
  }

  /// Reads a notification, but not the signed data inside it.
  public func notification(
    _ token: String
  ) throws(SignedDataFailure) -> LocalTestData<ServerNotification> {
    try read(token)
  }

  /// Reads a request for a retention message, which names no bundle ID.
  public func realtimeRequest(
    _ token: String
  ) throws(SignedDataFailure) -> LocalTestData<RealtimeRequest> {
    try read(token)
  }

  private func read<Payload: SignedPayload>(
    _ token: String
  ) throws(SignedDataFailure) -> LocalTestData<Payload> {
    let jws = try CompactJWS(signedData: token)
    let header = try jws.decoded(.header)
    guard case .object = try? JSONValue(parsing: header) else { throw .malformedHeader }
    var content = PayloadContent(bytes: try jws.decoded(.payload))
    _ = try jws.decoded(.signature)
    let payload: Payload = try Self.payload(of: &content)
    let identity = try payload.identity()
    guard let found = identity.environment else { throw .environmentMissing }
    guard found.isKnown else { throw .environmentUnknown(found.rawValue) }
    guard found == environment.environment else { throw .environmentNotAllowed(found) }
    if case .made(let bundleID) = identity.bundleID {
      guard bundleIDs.contains(where: { bundleID?.isSameText(as: $0) == true }) else {
        throw .bundleMismatch(found: bundleID)
      }
    }
    return LocalTestData(payload: payload, environment: found, token: token)
  }

  /// Decodes the payload; a failure carries no bytes, because they are not verified.
  private static func payload<Payload: SignedPayload>(
    of content: inout PayloadContent
  ) throws(SignedDataFailure) -> Payload {
    do throws(PayloadContent.Failure) {
      return try content.payload()
    } catch {
      switch error {
      case .notAnObject: throw .payloadMalformed(VerifiedBytes([]))
      case .field(let failure): throw .fieldType(failure, payload: VerifiedBytes([]))
      }
    }
  }
}
