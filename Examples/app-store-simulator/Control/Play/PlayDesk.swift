import HTTPMessages
import StoreSimulators
import StorekeeperTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The simulated Play store with its pushes.
actor PlayDesk {
  /// The number of notifications that stay listed, so that a page stays short that is open for days.
  private static let listed = 500

  let configuration: PlayStoreConfiguration
  let store: PlayStoreSimulator
  private(set) var deliveries: [PlayDelivery] = []
  /// The address for pushes from now on; nil for none.
  private(set) var url: String?
  private var lastListed = 0
  /// The first attempts for the newest notifications, begun or over, by number.
  private var firstPushes: [(number: Int, attempts: Task<Void, Never>)] = []

  init(
    _ configuration: PlayStoreConfiguration, clock: ManualClock, start: Date,
    delays: any Clock<Duration>, now: @escaping @Sendable () -> Date
  ) throws {
    self.configuration = configuration
    url = configuration.pushURL
    store = try PlayStoreSimulator(
      packageName: configuration.packageName, products: configuration.products
    ) {
      $0.serviceAccount = configuration.serviceAccount
      $0.pushes = configuration.pushes
      $0.pushKey = configuration.pushKey
      $0.clock = clock
      $0.start = start
      $0.delays = delays
      // The server that is tried runs on the machine's time, wherever the simulator's clock stands.
      $0.signingDate = now
    }
  }

  /// The number of the newest notification; 0 before the first.
  nonisolated var newestNumber: Int { store.newestNotificationNumber }

  /// Sets the address for pushes from now on.
  func setURL(_ url: String?) {
    self.url = url
    store.pushes = configuration.pushes(to: url)
  }

  /// Lists the new notifications, and begins to push them one after the other.
  func pushNew(_ push: @escaping @Sendable (Int) async -> Void) -> Task<Void, Never> {
    let numbers = takeNew()
    let attempts = Task { for number in numbers { await push(number) } }
    firstPushes = (firstPushes + numbers.map { ($0, attempts) }).suffix(Self.listed)
    return attempts
  }

  /// The first attempts for the notifications after a number.
  func pushes(after last: Int) -> [(number: Int, attempts: Task<Void, Never>)] {
    firstPushes.filter { $0.number > last }
  }

  /// Lists the new notifications, and returns the numbers of those to be pushed.
  private func takeNew() -> [Int] {
    var numbers: [Int] = []
    for notification in store.notifications(after: lastListed) {
      lastListed = notification.number
      deliveries.append(
        PlayDelivery(
          notification: notification, url: notification.isLost ? nil : url,
          state: notification.isLost ? .lost : url == nil ? .unsent : .underWay))
      if !notification.isLost, url != nil { numbers.append(notification.number) }
    }
    deliveries = deliveries.suffix(Self.listed)
    return numbers
  }

  func delivery(_ number: Int) -> PlayDelivery? {
    deliveries.last { $0.notification.number == number }
  }

  /// Records an attempt to push a notification.
  func record(_ attempt: Delivery.Attempt, of number: Int) {
    change(number) { delivery in
      delivery.attempts = delivery.attempts.suffix(19) + [attempt]
      delivery.attemptCount += 1
      if attempt.isAcknowledged { delivery.state = .accepted }
    }
    if attempt.isAcknowledged { store.acknowledgePush(number) }
  }

  /// Records that the first attempts failed.
  func repeatLater(_ number: Int) {
    change(number) { delivery in
      if delivery.state == .underWay { delivery.state = .repeated }
    }
  }

  private func change(_ number: Int, _ body: (inout PlayDelivery) -> Void) {
    let index = deliveries.lastIndex { $0.notification.number == number }
    if let index { body(&deliveries[index]) }
  }
}

extension Delivery.Attempt {
  /// Whether Pub/Sub takes the answer for an acknowledgement.
  var isAcknowledged: Bool {
    status.map { PlayStoreSimulator.acknowledges(HTTPStatusCode($0)) } ?? false
  }
}
