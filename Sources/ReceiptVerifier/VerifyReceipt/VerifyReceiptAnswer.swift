internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels

/// What an answer of verifyReceipt means for the next step, before its content is looked at.
///
/// Source: contract on signed data, sections 5.1 and 5.2.
enum VerifyReceiptAnswer: Hashable, Sendable {
  /// The receipt is valid, or expired in the style of iOS 6; its content is to be judged.
  case valid(VerifyReceiptResponse)
  /// The receipt belongs to the other server.
  case otherServer
  /// There is nothing to judge.
  case failure(VerifyReceiptFailure, Repetition)

  /// How often the question may be repeated.
  enum Repetition: Hashable, Sendable {
    case never
    /// Twice: 21002 says "malformed" more often than "trouble".
    case twice
    /// As often as the policy allows.
    case bounded
  }

  /// Reads what a server answered; `limit` is in bytes.
  init(_ response: HTTPResponse, from server: VerifyReceiptServer, limit: Int) {
    guard response.status == .ok else {
      self = .failure(
        .incidental(.httpStatus(response.status)),
        response.status.isFailureOfServer ? .bounded : .never)
      return
    }
    guard response.body.count <= limit else {
      self = .failure(.incidental(.transport(.responseTooLarge)), .never)
      return
    }
    guard let json = try? JSONValue(parsing: response.body) else {
      self = .failure(.incidental(.answerNotJSON), .bounded)
      return
    }
    do throws(FieldTypeFailure) {
      self.init(try VerifyReceiptResponse(json: json), from: server)
    } catch {
      self = .failure(.incidental(.answerMalformed(error)), .never)
    }
  }

  private init(_ response: VerifyReceiptResponse, from server: VerifyReceiptServer) {
    let status = response.status
    self =
      switch status {
      case .valid, .subscriptionExpired: .valid(response)
      case server.redirection: .otherServer
      case .sandboxReceipt, .productionReceipt: .failure(.refused(.wrongServer(status)), .never)
      case .malformedReceipt: .failure(.incidental(.malformedReceipt), .twice)
      case .notAuthenticated: .failure(.refused(.notAuthenticated), .never)
      case .sharedSecretMismatch: .failure(.incidental(.sharedSecretMismatch), .never)
      case .serverUnavailable, .internalError:
        .failure(.incidental(.serverUnavailable(status)), .bounded)
      case .accountNotFound: .failure(.refused(.accountNotFound), .never)
      case _ where status.isInternalDataAccess && response.isRetryable ?? true:
        .failure(.incidental(.serverUnavailable(status)), .bounded)
      case _ where status.isInternalDataAccess:
        .failure(.incidental(.internalDataAccess(status)), .never)
      default: .failure(.incidental(.unknownStatus(status)), .never)
      }
  }

  /// What it means that there is no answer.
  init(transportError error: any Error) {
    let failure = error as? HTTPTransportFailure
    self = .failure(
      .incidental(.transport(failure?.reason)), failure?.isRetryable ?? false ? .bounded : .never)
  }
}
