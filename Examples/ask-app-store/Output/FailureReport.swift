import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels

/// The last line about a call that was not answered, and the exit status for it.
///
/// Neither the answer's body nor a token is in it.
struct FailureReport {
  /// 1 if Apple, or a check before sending, refused the call; 3 if nobody knows.
  let status: Int32
  private(set) var members: Members

  init(_ error: any Error) {
    switch error {
    case let failure as AppStoreServerFailure: self.init(failure)
    case let fault as InvalidRequest: self.init(refused: fault.members)
    case let failure as FieldTypeFailure:
      self.init(refused: [
        "field": .string(failure.path),
        "reason": .string(failure.found == .absent ? "missing" : "wrongType"),
        "message": .string(failure.description), "retry": .string("never"),
      ])
    case is TestNotificationMissing:
      self.init(failed: ["reason": .string("timeUp"), "retry": .string("afterBackOff")])
    default: self.init(failed: ["reason": .string("unknown"), "retry": .string("never")])
    }
  }

  private init(_ failure: AppStoreServerFailure) {
    switch failure.reason {
    case .invalidRequest(let fault): self.init(refused: fault.members)
    case .environmentRequired, .environmentNotServed:
      self.init(refused: [
        "field": .string("environment"), "reason": .string(failure.reason.name),
        "message": .string(failure.description), "retry": .string("never"),
      ])
    case .refused where failure.isRefusal: self.init(refused: failure.members)
    default:
      var members = failure.members
      members["reason"] = .string(failure.reasonName)
      members["message"] = .string(failure.description)
      self.init(failed: members)
    }
  }

  private init(failed members: Members) {
    status = 3
    self.members = members
    self.members["outcome"] = .string("failed")
  }

  private init(refused members: Members) {
    status = 1
    self.members = members
    self.members["outcome"] = .string("refused")
  }
}

extension InvalidRequest {
  fileprivate var members: Members {
    [
      "field": .string(field), "reason": .string(fault.name), "message": .string(description),
      "retry": .string("never"),
    ]
  }
}

extension AppStoreServerFailure {
  /// Whether an answer says that the call was refused, and not just that something is out of order.
  fileprivate var isRefusal: Bool { code != nil || (400...499).contains(status?.code ?? 0) }

  /// The name of the reason that nobody knows the answer.
  fileprivate var reasonName: String {
    switch reason {
    case .transport(let reason): "\(reason)"
    case .refused:
      switch status?.code ?? 0 {
      case 500...: "serverFailure"
      case 300...399: "redirected"
      default: "unexpectedStatus"
      }
    default: reason.name
    }
  }

  /// The members for what is known of the answer.
  fileprivate var members: Members {
    var members: Members = ["retry": .string(retry.name)]
    if case .notBefore(let date) = retry { members["notBefore"] = Self.milliseconds(date) }
    members["status"] = status.map { .integer($0.code) }
    members["errorCode"] = code.map { .integer($0.rawValue) }
    members["name"] = name.map(JSONValue.string)
    members["errorMessage"] = message.map { .string(Redaction.redacted($0)) }
    members["host"] = (environment?.rawValue).map(JSONValue.string)
    members["requestID"] = requestID.map(JSONValue.string)
    members["clockSkew"] = clockSkew.map { .integer(Int($0.components.seconds)) }
    if !likelyCauses.isEmpty { members["causes"] = .array(likelyCauses.map { .string($0.name) }) }
    if !reportErrors.isEmpty {
      members["errors"] = .array(reportErrors.map { Redaction.redacted($0.json) })
    }
    if hasArrived { members["hasArrived"] = .boolean(true) }
    switch reason {
    case .notVerified(let member, let failure):
      members["member"] = .string(member)
      members["verification"] = .string(failure.name)
    case .malformedAnswer(let failure): members["member"] = .string(failure.path)
    default: break
    }
    return members
  }

  /// A date in milliseconds, as Apple writes it.
  private static func milliseconds(_ date: Date) -> JSONValue? {
    Int(exactly: (date.timeIntervalSince1970 * 1000).rounded()).map(JSONValue.integer)
  }
}

/// The removal of tokens from texts that a server wrote, which may repeat the request.
enum Redaction {
  /// The maximum number of characters of a text.
  private static let limit = 512

  /// Returns a text without tokens, shortened.
  static func redacted(_ text: String) -> String {
    var result = ""
    var rest = text.prefix(limit)[...]
    while let start = rest.firstRange(of: "eyJ")?.lowerBound {
      result += rest[..<start] + "(token)"
      rest = rest[start...].drop { character in
        character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
      }
    }
    return result + rest
  }

  /// Returns JSON whose texts have no tokens.
  static func redacted(_ json: JSONValue) -> JSONValue {
    switch json {
    case .string(let text): .string(redacted(text))
    case .array(let values): .array(values.map(redacted))
    case .object(let members): .object(members.mapValues(redacted))
    default: json
    }
  }
}

extension AppStoreServerFailure.Retry {
  /// The name of the advice, without its date.
  var name: String {
    switch self {
    case .never: "never"
    case .afterBackOff: "afterBackOff"
    case .notBefore: "notBefore"
    case .otherEnvironment: "otherEnvironment"
    case .startOver: "startOver"
    }
  }
}

extension AppStoreServerFailure.UnauthorizedCause {
  /// The name of the cause, without its value.
  var name: String {
    switch self {
    case .key: "key"
    case .issuerOrBundleID: "issuerOrBundleID"
    case .clockSkew: "clockSkew"
    case .appNeverReleased: "appNeverReleased"
    }
  }
}

extension InvalidRequest.Fault {
  /// The name of the fault, without its values.
  var name: String {
    switch self {
    case .empty: "empty"
    case .missing: "missing"
    case .notAllowed: "notAllowed"
    case .tooLong: "tooLong"
    case .outOfRange: "outOfRange"
    case .notDigits: "notDigits"
    case .notPathPart: "notPathPart"
    case .notUUID: "notUUID"
    case .notCountryCode: "notCountryCode"
    case .notCurrencyCode: "notCurrencyCode"
    case .notAccepted: "notAccepted"
    case .notBeforeEnd: "notBeforeEnd"
    case .tooOld: "tooOld"
    case .inconsistent: "inconsistent"
    case .notAcceptedImage: "notAcceptedImage"
    @unknown default: "unknown"
    }
  }
}
