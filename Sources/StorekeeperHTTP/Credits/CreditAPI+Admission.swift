internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels

typealias CreditCall = Call<CreditAPI>
typealias CreditOperation = Operation<CreditAPI>

/// The callers to whom an operation on credits is open.
enum CreditAccess: Hashable, Sendable {
  /// A user, by the token of a session.
  case user
  /// A service that the host trusts, by a token of its own.
  case service
  /// Apple, whose signature is checked with the body.
  case apple
}

extension CreditAPI: RoutedAPI {
  typealias Place = Void
  typealias Access = CreditAccess
  typealias User = AccountID

  static var usualRetryAfter: Duration { .seconds(5) }

  func admit(_ call: inout CreditCall, to operation: CreditOperation) async throws {
    switch operation.access {
    case .user:
      let caller = try await caller(of: call.request, by: users)
      // Nothing is trimmed: an identifier with white space around it is another one.
      guard let user = try? AccountID(caller.name), user.rawValue.isSameText(as: caller.name) else {
        throw AuthenticationFailure.unknownToken
      }
      call.caller = caller
      call.user = user
    case .service:
      guard let services else { throw AuthenticationFailure.unknownToken }
      call.caller = try await caller(of: call.request, by: services)
    case .apple: break
    }
  }

  func reportedName(of call: CreditCall) -> String? { call.user == nil ? call.caller?.name : nil }

  func bodyLimit(of operation: CreditOperation) -> Int {
    operation.access == .apple ? Self.notificationLimit : Self.bodyLimit
  }

  /// Returns the caller of a request.
  ///
  /// - Throws: ``AuthenticationFailure``, `CancellationError`, or ``AuthenticatorFailure`` for all else.
  private func caller(
    of request: HTTPRequestMessage, by authenticator: any Authenticator
  ) async throws -> Caller {
    do {
      return try await authenticator.caller(of: request)
    } catch let failure as AuthenticationFailure {
      throw failure
    } catch let cancellation as CancellationError {
      throw cancellation
    } catch {
      throw AuthenticatorFailure(cause: error)
    }
  }
}

/// An unexpected error of the host's authenticator, which is not one of the store.
struct AuthenticatorFailure: Error {
  let cause: any Error
}
