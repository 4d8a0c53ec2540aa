internal import JSONValues
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The state that the simulator keeps for Retention Messaging; identifiers are UUIDs in lower case.
struct MessagingState: Sendable {
  var images: [String: Image] = [:]
  var messages: [String: Message] = [:]
  /// The default messages, by product and locale.
  var defaults: [DefaultPlace: String] = [:]
  var realtimeURL: String?
  var performanceTests: [String: PerformanceTest] = [:]

  struct Image: Hashable, Sendable {
    let size: String
    var state: String
  }

  struct Message: Hashable, Sendable {
    let images: Set<String>
    var state: String
  }

  struct DefaultPlace: Hashable, Sendable {
    let product: String
    let locale: String
  }

  struct PerformanceTest: Hashable, Sendable {
    let start: Date
    let target: String
    let passes: Bool
  }
}

extension AppStoreSimulator {
  /// Apple's decision about an image or a message of Retention Messaging.
  public enum MessageReview: String, Hashable, Sendable, CaseIterable {
    case approved = "APPROVED"
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
