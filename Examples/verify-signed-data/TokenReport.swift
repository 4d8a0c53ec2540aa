import Foundation
import JWSVerifier
import JSONValues
import ReceiptModels

struct TokenReport {
  var isVerified: Bool
  private var members: [String: JSONValue]

  var line: [UInt8] { JSONValue.object(members).serialized }

  private init(environment: AppStoreEnvironment, signedDate: Date?, payload: some JSONModel) {
    isVerified = true
    members = [
      "outcome": .string("verified"),
      "environment": .string(environment.rawValue),
      "signedDate": signedDate.map(Self.milliseconds) ?? .null,
      "payload": payload.json,
    ]
  }

  init(_ verified: Verified<some JSONModel>) {
    self.init(
      environment: verified.environment, signedDate: verified.signedDate,
      payload: verified.payload)
  }

  /// Creates a report on a notification and the signed data inside it.
  init(_ verified: Verified<NotificationContent>) {
    let content = verified.payload
    self.init(
      environment: verified.environment, signedDate: verified.signedDate,
      payload: content.notification)
    members["transaction"] = content.transaction?.payload.json
    members["renewalInfo"] = content.renewalInfo?.payload.json
    members["appTransaction"] = content.appTransaction?.payload.json
  }

  init<Payload: JSONModel>(_ data: LocalTestData<Payload>, signedDate: Date?) {
    self.init(environment: data.environment, signedDate: signedDate, payload: data.payload)
    members["signedByApple"] = .boolean(false)
  }

  init(_ failure: SignedDataFailure) {
    self.init(reason: failure.name, message: failure.description)
  }

  init(reason: String, message: String) {
    isVerified = false
    members = [
      "outcome": .string("refused"),
      "reason": .string(reason),
      "message": .string(message),
    ]
  }

  func about(_ file: String, _ line: Int? = nil) -> TokenReport {
    var report = self
    report.members["file"] = .string(file)
    report.members["line"] = line.map(JSONValue.integer)
    return report
  }

  /// Returns the report with the path of its JSON member.
  func about(member: String?) -> TokenReport {
    var report = self
    report.members["member"] = member.map(JSONValue.string)
    return report
  }

  /// Returns a date in milliseconds, as in Apple's payloads.
  private static func milliseconds(_ date: Date) -> JSONValue {
    .number((date.timeIntervalSince1970 * 1000).rounded())
  }
}
