internal import JSONValues
public import EntitlementPolicy
internal import PurchaseStorage
public import ReceiptModels

extension EntitlementService {
  /// Asks for the present state of everything that a user bought in an app and in the apps whose purchases count for
  /// it, and records the answers.
  ///
  /// The acquired products stay. Purchases that no source can answer for keep their stored state. Source: entitlement
  /// rules, section 5.4.
  ///
  /// - Throws: ``EntitlementFailure/receiptMissing`` if the user bought nothing, or
  ///   ``EntitlementFailure/unknownApp``.
  @discardableResult
  public func restore(
    _ userID: AccountID, in bundleID: String
  ) async throws -> RestoreAnswer {
    try await refresh(userID, in: app(bundleID, for: userID))
  }

  func refresh(_ userID: AccountID, in app: EntitledApp) async throws -> RestoreAnswer {
    let rows = try await store.read { try await $0.holdings(of: userID, in: app.readBundleIDs) }
    guard !rows.associations.isEmpty else { throw EntitlementFailure.receiptMissing }
    let apps = apps.counting(for: app).filter { !rows.keys(of: $0).isEmpty }
    let present = try await presentState(
      of: apps.flatMap { rows.questions(about: $0) }.map(\.purchase), in: round(about: apps))
    return try await record(present, of: userID, in: app, asked: apps)
  }

  /// Returns a round of questions about purchases in some apps.
  ///
  /// A source that is down is asked about no further purchase, because the next question would most likely
  /// fail too. What it fails to tell, or refuses, says nothing about the other sources and purchases.
  func round(about apps: [EntitledApp]) -> SourceRound {
    SourceRound(sources(of: apps), stoppingAt: .outages, report: report)
  }

  func presentState(
    of purchases: [PurchaseReference], in round: SourceRound
  ) async throws -> PresentState {
    var state = PresentState(askedFrom: now())
    for purchase in purchases where !state.answers(for: purchase) {
      do {
        guard let facts = try await round.facts(about: purchase) else {
          state.pass(over: purchase)
          continue
        }
        guard facts.environment == purchase.environment else { continue }
        state.add(facts)
        state.prove(purchase)
      } catch SubscriptionFailure.notRecorded(.empty) {
        // The source answered, and there is nothing to record.
        state.prove(purchase)
      } catch is SourcesNotAsked {
        state.fail(purchase, isOutage: true)
      } catch let failure as SubscriptionFailure {
        state.fail(purchase, isOutage: failure.isOutage)
      }
    }
    return state
  }

  /// The sources, with those of the apps at Google that the host has not named itself.
  private func sources(of apps: [EntitledApp]) -> [any PurchaseSource] {
    var all = sources
    for app in apps {
      guard let google = app.googlePlay else { continue }
      let source = PlayPurchaseSource(google, store: store, now: now)
      guard !all.contains(where: { $0.scope == source.scope }) else { continue }
      all.append(source)
    }
    return all
  }

  /// Records the present state of a user's purchases, and whether it could be learned, for each app about whose
  /// purchases sources were asked.
  func record(
    _ present: PresentState, of userID: AccountID, in app: EntitledApp, asked apps: [EntitledApp]
  ) async throws -> RestoreAnswer {
    let now = now()
    let entitlements = try await recording(at: now) { recorder, unit in
      _ = try await recorder.write(try await recorder.prepare(present.facts, in: unit), in: unit)
      return try await note(present, of: userID, in: app, asked: apps, at: now, unit)
        .entitlements(in: app, among: self.apps, at: now)
    }
    return RestoreAnswer(
      entitlements: entitlements, failed: present.failed.map(\.originalTransactionID))
  }
}

/// The answer to a request to restore purchases.
public struct RestoreAnswer: Sendable {
  public let entitlements: Entitlements
  /// The original transaction IDs of the purchases whose present state could not be learned.
  public let failed: [String]
}
