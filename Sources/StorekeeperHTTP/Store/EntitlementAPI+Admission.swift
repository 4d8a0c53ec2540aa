internal import HTTPMessages
internal import ReceiptModels

typealias EntitlementCall = Call<EntitlementAPI>
typealias EntitlementOperation = Operation<EntitlementAPI>

/// The callers to whom an operation on entitlements is open.
enum EntitlementAccess: Hashable, Sendable {
  /// A user or a trusted service.
  case caller
  /// Apple, whose signature is checked with the body.
  case apple
}

extension EntitlementAPI: RoutedAPI {
  typealias Place = Void
  typealias Access = EntitlementAccess
  typealias User = EntitlementCaller

  func admit(_ call: inout EntitlementCall, to operation: EntitlementOperation) async throws {
    guard operation.access == .caller else { return }
    if let services, let service = try await caller(of: call.request, by: services) {
      call.caller = service
      call.user = .service(name: service.name)
      return
    }
    // Nothing is trimmed: an identifier with white space around it is another one.
    guard let users, let user = try await caller(of: call.request, by: users),
      let id = try? AccountID(opaque: user.name)
    else { throw AuthenticationFailure.unknownToken }
    call.caller = user
    call.user = .user(id)
  }

  /// Returns the caller of a request, or nil if the authenticator does not know the token.
  private func caller(
    of request: HTTPRequest, by authenticator: any Authenticator
  ) async throws -> Caller? {
    do {
      return try await authenticator.caller(of: request)
    } catch AuthenticationFailure.unknownToken {
      return nil
    }
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
