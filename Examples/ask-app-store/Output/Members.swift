import AppStoreServerAPI
import Foundation
import JSONValues
import JWSVerifier
import ReceiptModels

typealias Members = [String: JSONValue]

extension JSONModel {
  var members: Members {
    guard case .object(let members) = json else { return [:] }
    return members
  }
}

extension Verified where Payload: JSONModel {
  /// The members of the payload, and the environment that was proven.
  var members: Members {
    payload.members.merging(["environment": .string(environment.rawValue)]) { $1 }
  }
}

extension Unsigned where Value: JSONModel {
  /// The members of the answer, and the host that gave it.
  var members: Members { value.members.merging(["host": .string(environment.rawValue)]) { $1 } }
}

extension RefusedElement {
  var members: Members { ["refused": .string(failure.name), "index": .integer(index)] }
}

extension SubscriptionStatuses.Refusal {
  var name: String {
    switch self {
    case .notSigned: "notSigned"
    case .transaction(let failure), .renewalInfo(let failure): failure.name
    case .otherSubscription: "otherSubscription"
    @unknown default: "unknown"
    }
  }
}

extension Verified where Payload == NotificationContent {
  /// The members of the notification, with what is signed inside it in the place of the tokens.
  var members: Members {
    let content = payload
    var members = content.notification.members
    for name in ["data", "appData", "summary"] {
      guard case .object(let inner)? = members[name] else { continue }
      members[name] = .object(inner.filter { !$0.key.hasPrefix("signed") })
    }
    members["environment"] = .string(environment.rawValue)
    members["transaction"] = content.transaction?.payload.json
    members["renewalInfo"] = content.renewalInfo?.payload.json
    members["appTransaction"] = content.appTransaction?.payload.json
    return members
  }
}

extension Unsigned<[SendAttempt]> {
  /// The attempts as Apple lists them.
  var json: JSONValue { .array(value.map(\.json)) }
}

enum Line {
  /// Prints a JSON object on a line of its own.
  static func print(_ members: [String: JSONValue]) {
    let line = JSONValue.object(members).serialized + [UInt8(ascii: "\n")]
    FileHandle.standardOutput.write(Data(line))
  }
}
