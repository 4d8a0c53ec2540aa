internal import HTTPMessages
public import ReceiptModels

typealias EntitlementCall = Call<EntitlementAPI>
typealias EntitlementOperation = Operation<EntitlementAPI>

/// The callers to whom an operation on entitlements is open.
enum EntitlementAccess: Hashable, Sendable {
  /// A user or a trusted service.
  case caller
  /// A trusted service.
  case service
  /// Apple, whose signature is checked with the body.
  case apple
}

extension EntitlementAPI: RoutedAPI {
  typealias Place = Void
  typealias Access = EntitlementAccess
  typealias User = EntitlementCaller

  static var usualRetryAfter: Duration { .seconds(30) }

  func admit(_ call: inout EntitlementCall, to operation: EntitlementOperation) async throws {
    guard operation.access != .apple else { return }
    let (caller, user) = try await authenticators.caller(of: call.request)
    if operation.access == .service, case .user = user { throw RequestRefusal.forbidden }
    call.caller = caller
    call.user = user
  }

  func reportedName(of call: EntitlementCall) -> String? {
    if case .service(let name)? = call.user { name } else { nil }
  }

  func bodyLimit(of operation: EntitlementOperation) -> Int { Self.bodyLimit }
}

extension EntitlementCall {
  /// Returns the user in the path.
  ///
  /// - Throws: ``FieldRefusal`` if it is no user ID.
  func pathUser() throws(FieldRefusal) -> AccountID {
    guard let text = RequestTarget.text(ofSegment: id), let user = try? AccountID(opaque: text)
    else { throw .invalid("userId") }
    return user
  }

  /// Refuses a caller that may not act for a user.
  ///
  /// - Throws: ``RequestRefusal/forbidden``, or an error of the host's rule.
  func require(_ userID: AccountID, in bundleID: String, of api: EntitlementAPI) async throws {
    guard let user, try await api.mayAct(user, userID, bundleID) else {
      throw RequestRefusal.forbidden
    }
  }
}

/// A caller of ``EntitlementAPI`` or ``OrderAPI``.
///
/// Source: entitlement rules, section 7.
public enum EntitlementCaller: Hashable, Sendable {
  /// A user, by the token of a session.
  case user(AccountID)
  /// A service that the host trusts, by a token of its own.
  case service(name: String)

  /// Returns whether the caller may act for a user, by the rule for hosts without one of their own: users
  /// act for themselves, and services for everybody.
  public func mayAct(for userID: AccountID) -> Bool {
    switch self {
    case .user(let id): id == userID
    case .service: true
    }
  }
}
