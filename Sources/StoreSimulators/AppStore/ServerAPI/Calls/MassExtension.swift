internal import JSONValues
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct MassExtension: Sendable {
  let requestIdentifier: String
  let productID: String
  let days: Int
  /// The storefronts; nil for all.
  let storefronts: [String]?
  let requestDate: Date
  var outcome: Outcome?

  struct Outcome: Hashable, Sendable {
    let date: Date
    var succeeded = 0
    var failed = 0
  }
}

extension AppStoreSimulator {
  /// Carries out the extensions for all subscribers whose time has come.
  ///
  /// Requests to the server APIs do so by themselves; a test that waits for the notifications only
  /// calls it after it moved the clock.
  public func runScheduledExtensions() { runMassExtensions(at: now) }

  func runMassExtensions(at now: Date) {
    let due = state.withLock { state in
      let delay = state.serverAPI.settings.massExtensionDelay.timeInterval
      return state.serverAPI.massExtensions.indices.filter { index in
        let job = state.serverAPI.massExtensions[index]
        return job.outcome == nil && now.timeIntervalSince(job.requestDate) >= delay
      }
    }
    for index in due { run(index, at: now) }
  }

  private func run(_ index: Int, at now: Date) {
    // Whoever sets the outcome first runs the job.
    let job: MassExtension? = state.withLock { state in
      guard state.serverAPI.massExtensions[index].outcome == nil else { return nil }
      state.serverAPI.massExtensions[index].outcome = .init(date: now)
      return state.serverAPI.massExtensions[index]
    }
    guard let job else { return }
    var outcome = MassExtension.Outcome(date: now)
    for id in subscribers(of: job, at: now) {
      if extendOne(id, of: job) { outcome.succeeded += 1 } else { outcome.failed += 1 }
    }
    let final = outcome
    state.withLock { state in
      state.serverAPI.massExtensions[index].outcome = final
      _ = state.serverAPI.keep(
        SimulatedNotification(
          .renewalExtension, .summary, at: now, .summary(summary(of: job, final))))
    }
  }

  /// Returns the subscriptions that an extension for all is meant for.
  private func subscribers(of job: MassExtension, at now: Date) -> [Int] {
    // Everybody buys in the United States.
    guard job.storefronts?.contains("USA") ?? true else { return [] }
    let store = state.withLock { $0.store }
    return Set(store.transactions.map(\.originalID)).sorted().filter { id in
      guard let latest = store.latest(id), latest.product.id == job.productID else { return false }
      return latest.ownership == .purchased && latest.isRunning(at: now)
    }
  }

  private func extendOne(_ id: Int, of job: MassExtension) -> Bool {
    let notification = try? notify { (store, now) throws(SimulatorFailure) in
      guard let latest = store.latest(id) else { throw .unknownPurchase }
      let refusal = store.extensionRefusal(
        latest, at: SimulatedMoment(of: latest.customer, in: store, at: now))
      guard refusal == nil else { return SimulatedChange(.extensionFailed, latest) }
      store.extend(id, by: Double(job.days) * 86_400, at: now)
      return SimulatedChange(.renewalExtended, latest)
    }
    return notification?.type == .renewalExtended
  }

  private func summary(
    of job: MassExtension, _ outcome: MassExtension.Outcome
  ) -> NotificationSummary {
    var summary = NotificationSummary()
    summary.environment = environment
    summary.appAppleID = environment == .production ? appAppleID : nil
    summary.bundleID = bundleID
    summary.productID = job.productID
    summary.requestIdentifier = job.requestIdentifier
    summary.storefrontCountryCodes = job.storefronts
    summary.succeededCount = outcome.succeeded
    summary.failedCount = outcome.failed
    return summary
  }
}
