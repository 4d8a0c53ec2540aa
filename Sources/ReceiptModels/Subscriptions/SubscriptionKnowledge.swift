/// How much the source of a subscription's state can know.
public enum SubscriptionKnowledge: String, Hashable, Sendable, Codable {
  /// A receipt alone: nothing of renewal, grace period and billing retry, and nothing later.
  case local
  /// Apple's answer to a question, as of that answer.
  case remote
  /// What Apple sent on its own, as of its signature.
  case notification
}
