internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An answer of verifyReceipt, classified by its status for the next step.
///
/// Source: `Documentation/rules/app-store-rules.md`.
enum VerifyReceiptAnswer: Hashable, Sendable {
  /// The receipt is valid, or expired in the style of iOS 6; its content must be checked next.
  case valid(VerifyReceiptResponse)
  case otherServer
  case failure(VerifyReceiptFailure, Repetition)

  /// The number of times that a request may be repeated.
  enum Repetition: Hashable, Sendable {
    case never
    /// Twice: 21002 usually means a malformed receipt, and sometimes a server error.
    case twice
    /// As often as the retry policy allows.
    case bounded
  }

  /// Classifies a server's response, which came at a moment; `limit` is in bytes.
  init(
    _ response: HTTPResponseMessage, from server: VerifyReceiptServer, limit: Int, at now: Date
  ) {
    guard response.status == .ok else {
      let retryAfter = RetryAfterReader.moment(
        response.headers[.retryAfter], at: now.timeIntervalSince1970)
      self = .failure(
        .transient(
          .httpStatus(
            response.status, retryAfter: retryAfter.map { Date(timeIntervalSince1970: $0) })),
        response.status.isServerError ? .bounded : .never)
      return
    }
    guard response.body.count <= limit else {
      self = .failure(.transient(.transport(.responseTooLarge)), .never)
      return
    }
    guard let text = try? JSONText(checking: response.body, within: .values) else {
      self = .failure(.transient(.answerNotJSON), .bounded)
      return
    }
    do throws(FieldTypeFailure) {
      self.init(try VerifyReceiptResponse(text, at: text.root), from: server)
    } catch {
      self = .failure(.transient(.answerMalformed(error)), .never)
    }
  }

  private init(_ response: VerifyReceiptResponse, from server: VerifyReceiptServer) {
    let status = response.status
    self =
      switch status {
      case .valid, .subscriptionExpired: .valid(response)
      case server.redirection: .otherServer
      case .sandboxReceipt, .productionReceipt: .failure(.refused(.wrongServer(status)), .never)
      case .malformedReceipt: .failure(.transient(.malformedReceipt), .twice)
      case .notAuthenticated: .failure(.refused(.notAuthenticated), .never)
      case .sharedSecretMismatch: .failure(.transient(.sharedSecretMismatch), .never)
      case .serverUnavailable, .internalError:
        .failure(.transient(.serverUnavailable(status)), .bounded)
      case .accountNotFound: .failure(.refused(.accountNotFound), .never)
      case _ where status.isInternalDataAccess && response.isRetryable ?? true:
        .failure(.transient(.serverUnavailable(status)), .bounded)
      case _ where status.isInternalDataAccess:
        .failure(.transient(.internalDataAccess(status)), .never)
      default: .failure(.transient(.unknownStatus(status)), .never)
      }
  }

  /// Classifies an error of the transport.
  init(transportError error: any Error) {
    let failure = error as? HTTPTransportFailure
    self = .failure(
      .transient(.transport(failure?.reason)), failure?.isRetryable ?? false ? .bounded : .never)
  }
}
