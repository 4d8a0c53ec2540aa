import Foundation
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting

/// A service that answers retention messages, on a clock that a test moves.
struct RetentionMessageScene: Sendable {
  static let authority = try? TestAuthority()
  static let appAppleID = 1_234_567_890
  static let start = Date(timeIntervalSince1970: 1_700_000_000)  // 2023-11-14T22:13:20Z
  static let token = "d4e1f2a3-1111-4222-8333-944455556666"

  let authority: TestAuthority
  let clock = ManualClock()
  let incidents = RetentionIncidents()
  let service: RetentionMessageService

  init(
    environments: Set<AppStoreEnvironment> = .auto, appAppleID: Int = appAppleID,
    budget: Duration = RetentionMessageService.standardBudget, authority: TestAuthority? = nil,
    revocationChecker: RevocationChecker? = nil,
    answer: @escaping @Sendable (Verified<RealtimeRequest>) async throws -> RealtimeResponse? = {
      _ in nil
    }
  ) throws {
    self.authority = try authority ?? Self.authority ?? TestAuthority()
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: "com.example.reader", appAppleID: appAppleID)],
      environments: environments, trustAnchors: [self.authority.trustAnchor],
      revocationChecker: revocationChecker, now: { Self.start })
    let incidents = incidents
    service = RetentionMessageService(
      verifier: verifier, answerer: ClosureAnswerer(body: answer), budget: budget, clock: clock,
      report: { incidents.add($0) })
  }

  /// A signed request, with members replaced; nil removes one.
  func request(_ changes: [String: JSONValue?] = [:]) throws -> String {
    var members: [String: JSONValue] = [
      "originalTransactionId": .string("2000000000000001"), "productId": .string("reader.month"),
      "userLocale": .string("en-US"), "appAppleId": .integer(Self.appAppleID),
      "requestIdentifier": .string(Self.token), "environment": .string("Production"),
      "signedDate": .integer(1_700_000_000_000),
    ]
    for (name, value) in changes { members[name] = value }
    return try authority.sign(.object(members))
  }

  /// The failure of a request, if it fails.
  func failure(_ token: String) async -> RetentionMessageFailure? {
    do throws(RetentionMessageFailure) {
      _ = try await service.answer(signedPayload: token)
      return nil
    } catch {
      return error
    }
  }
}

private struct ClosureAnswerer: RetentionMessageAnswerer {
  let body: @Sendable (Verified<RealtimeRequest>) async throws -> RealtimeResponse?

  func answer(to request: Verified<RealtimeRequest>) async throws -> RealtimeResponse? {
    try await body(request)
  }
}

/// Remembers what it is told.
final class RetentionIncidents: Sendable {
  private let incidents = Locked<[ServiceIncident]>([])

  var all: [ServiceIncident] { incidents.withLock { $0 } }

  /// The times of missed budgets.
  var late: [Duration] {
    all.compactMap { if case .retentionMessageLate(let time) = $0 { time } else { nil } }
  }

  func add(_ incident: ServiceIncident) { incidents.withLock { $0.append(incident) } }
}
