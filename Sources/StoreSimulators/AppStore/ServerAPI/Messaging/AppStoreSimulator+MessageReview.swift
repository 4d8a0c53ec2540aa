internal import StorekeeperLocks

extension AppStoreSimulator {
  /// Apple's decision about an image or a message of Retention Messaging.
  public enum MessageReview: String, Hashable, Sendable, CaseIterable {
    /// It may be shown.
    case approved = "APPROVED"
    /// It may not be shown.
    case rejected = "REJECTED"
  }

  /// Reviews all images and messages that wait for it.
  ///
  /// In Production they wait as `PENDING`; the Sandbox approves them when they arrive.
  public func reviewMessages(_ decision: MessageReview = .approved) {
    state.withLock { state in
      for (id, image) in state.serverAPI.messaging.images where image.state == "PENDING" {
        state.serverAPI.messaging.images[id]?.state = decision.rawValue
      }
      for (id, message) in state.serverAPI.messaging.messages where message.state == "PENDING" {
        state.serverAPI.messaging.messages[id]?.state = decision.rawValue
      }
    }
  }

  /// The address that Apple asks for retention messages in real time; nil if none is set.
  public var realtimeURL: String? { state.withLock { $0.serverAPI.messaging.realtimeURL } }
}
