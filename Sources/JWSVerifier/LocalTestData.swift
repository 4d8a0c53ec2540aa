internal import StorekeeperCrypto
internal import JSONValues
public import ReceiptModels

/// An environment whose data Apple does not sign.
public enum LocalEnvironment: Hashable, Sendable {
  /// StoreKit testing in Xcode.
  case xcode
  /// Local test data.
  case localTesting

  /// The name that the payloads bear.
  public var environment: AppStoreEnvironment {
    switch self {
    case .xcode: .xcode
    case .localTesting: .localTesting
    }
  }
}

/// A payload of Xcode or of a local test: signed by nobody who matters, so it proves nothing.
///
/// A type of its own, so that it cannot pass where ``Verified`` is asked for.
public struct LocalTestData<Payload: Sendable>: Sendable {
  /// What the token says.
  public let payload: Payload
  /// The environment that the reader was made for and that the payload names.
  public let environment: AppStoreEnvironment
  /// The token as it came.
  public let token: String
}

extension LocalTestData: CustomStringConvertible, CustomReflectable {
  /// The kind and the environment, never the token or the payload.
  public var description: String { "LocalTestData<\(Payload.self)>(\(environment))" }

  /// Empty, so that `dump` shows no data of a customer.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Reads data of StoreKit testing in Xcode or of local tests, on a developer's machine.
///
/// Anyone can make such data, so no signature is looked at: only the form, the environment and the
/// bundle id. Never offer it to clients of a public server. A reader accepts exactly one
/// environment, which has to be named in code; ``SignedDataVerifier`` accepts none of these.
///
/// Source: contract on signed data, section 1.6.
public struct LocalTestDataReader: Sendable {
  /// The environment whose data is accepted.
  public let environment: LocalEnvironment
  /// The apps whose data is accepted.
  public let bundleIDs: Set<String>

  /// Makes a reader for one environment.
  public init(environment: LocalEnvironment, bundleIDs: Set<String>) {
    self.environment = environment
    self.bundleIDs = bundleIDs
  }

  /// Reads a transaction.
  ///
  /// - Throws: ``SignedDataFailure`` about form, content or identity.
  public func transaction(
    _ token: String
  ) throws(SignedDataFailure) -> LocalTestData<Transaction> {
    try read(token)
  }

  /// Reads a renewal info, which names no app.
  ///
  /// - Throws: ``SignedDataFailure`` about form, content or identity.
  public func renewalInfo(
    _ token: String
  ) throws(SignedDataFailure) -> LocalTestData<RenewalInfo> {
    try read(token)
  }

  /// Reads an app transaction.
  ///
  /// - Throws: ``SignedDataFailure`` about form, content or identity.
  public func appTransaction(
    _ token: String
  ) throws(SignedDataFailure) -> LocalTestData<AppTransaction> {
    try read(token)
  }

  /// Reads a notification; the data inside it stays unread.
  ///
  /// - Throws: ``SignedDataFailure`` about form, content or identity.
  public func notification(
    _ token: String
  ) throws(SignedDataFailure) -> LocalTestData<ServerNotification> {
    try read(token)
  }

  /// Reads a request for a retention message, which names no bundle id.
  ///
  /// - Throws: ``SignedDataFailure`` about form, content or identity.
  public func realtimeRequest(
    _ token: String
  ) throws(SignedDataFailure) -> LocalTestData<RealtimeRequest> {
    try read(token)
  }

  private func read<Payload: SignedPayload>(
    _ token: String
  ) throws(SignedDataFailure) -> LocalTestData<Payload> {
    let jws = try CompactJWS(token)
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

  /// The payload; a failure carries no bytes, as nobody verified them.
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
