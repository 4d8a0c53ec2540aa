internal import JSONValues

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
