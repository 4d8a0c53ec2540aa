public import EntitlementPolicy
public import JWSVerifier
public import ReceiptModels
internal import JSONValues

/// A service that signs what a user may use, for devices without a network.
///
/// ```swift
/// let keys = try StatementKeys([StatementKey(pem: pem)])
/// let statements = StatementService(entitlements) { keys }
/// let signed = try await statements.statement(of: "u-1", in: "com.example.draw")
/// signed.token  // a compact JWS of at most 1,024 bytes
/// ```
///
/// It says what ``EntitlementService/products(of:in:)`` answers at that moment, with the first of its keys. Nothing is
/// stored, and no store is asked. Source: entitlement rules, section 10.1.
public struct StatementService: Sendable {
  public let entitlements: EntitlementService
  public let options: StatementOptions

  private let currentKeys: @Sendable () -> StatementKeys

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - entitlements: The service whose answers are signed.
  ///   - options: The life of a statement.
  ///   - keys: Returns the keys at the moment of a request, so that they can be replaced without a restart.
  public init(
    _ entitlements: EntitlementService, options: StatementOptions = .standard,
    keys: @escaping @Sendable () -> StatementKeys
  ) {
    self.entitlements = entitlements
    self.options = options
    currentKeys = keys
  }

  /// The public keys for verifying statements, also those that sign none now.
  public var keySet: StatementKeySet { currentKeys().published }

  /// Returns a statement of what a user may use in an app now, from what is stored; Apple is not asked.
  ///
  /// An unknown user has nothing, which is stated too. A device refuses a statement with an environment that does not
  /// count in its build, so the build of a tester asks for those that do.
  ///
  /// - Parameters:
  ///   - userID: The user.
  ///   - bundleID: The app.
  ///   - environments: The environments whose purchases may be listed, of those that count for the user; nil for all of
  ///     these.
  /// - Returns: The statement with its signature.
  /// - Throws: ``EntitlementFailure/unknownApp``, `StatementFailure.tooLarge`, `SigningFailure.signing`, or an error of
  ///   the store or of the host's accounts.
  public func statement(
    of userID: AccountID, in bundleID: String,
    boughtIn environments: Set<AppStoreEnvironment>? = nil
  ) async throws -> SignedStatement {
    let answer = try await entitlements.products(
      of: userID, in: bundleID, boughtIn: environments)
    let key = currentKeys().first
    let type = EntitlementStatement.type
    let limit = key.payloadLimit(ofTokensUpTo: EntitlementStatement.maximumSize, type: type)
    let statement = try EntitlementStatement(
      of: answer, for: userID, fitting: limit, options: options)
    return SignedStatement(
      statement: statement,
      token: try key.token(of: statement.json.serialized, type: type))
  }
}

/// A statement with its signature.
public struct SignedStatement: Sendable, CustomStringConvertible, CustomReflectable {
  public let statement: EntitlementStatement
  /// The statement as a compact JWS of at most ``/EntitlementPolicy/EntitlementStatement/maximumSize`` bytes.
  public let token: String

  /// The length of the token, but neither it nor the user.
  public var description: String { "SignedStatement(\(token.utf8.count) bytes)" }

  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
