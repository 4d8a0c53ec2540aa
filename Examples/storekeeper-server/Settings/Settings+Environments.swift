import JSONValues
import LinkPolicy
import ReceiptModels

// The purchases that count in each part, which the server says where it starts.

extension Settings {
  /// Logs whose purchases count in each part that is served.
  func tellEnvironments() {
    let parts: [(Setting.Part, String, Set<AppStoreEnvironment>)] = [
      (.subscriptions, "memberships", options.allowedEnvironments.environments),
      (.credits, "credits", creditEnvironments),
      (.entitlements, "entitlements", entitlementEnvironments),
      (.orders, "orders", orderEnvironments),
    ]
    let served = parts.filter { self.parts.contains($0.0) }
    ServerLog.note(
      "purchases that count",
      served.map { ($0.1, .string(Self.names($0.2))) } + [
        ("testers", .integer(testers.testers.count))
      ])
  }

  /// Logs what lets more in than is meant, most likely.
  ///
  /// Source: credit rules, section 10.
  func tellOpenings() {
    if sessionKey != nil, sessionIssuer == nil, sessionAudience == nil {
      ServerLog.note(
        "any token of the session key is a session: sessionIssuer or sessionAudience is not set")
    }
    let memberships = options.allowedEnvironments.environments
    if parts.contains(.subscriptions), parts.contains(.credits), !memberships.contains(.sandbox),
      creditEnvironments.contains(.sandbox)
    {
      ServerLog.note("free purchases of the Sandbox get credits, although no memberships")
    }
  }

  private static func names(_ environments: Set<AppStoreEnvironment>) -> String {
    environments.map(\.rawValue).sorted().joined(separator: ", ")
  }
}

extension CountedEnvironments {
  /// The environments with the testers of another rule.
  func with(_ other: CountedEnvironments) -> CountedEnvironments {
    var rule = self
    (rule.testers, rule.testerEnds) = (other.testers, other.testerEnds)
    return rule
  }
}
