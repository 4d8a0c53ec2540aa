import Foundation
import InMemoryStorage
import StorekeeperLocks
import Testing

@testable import Storekeeper

/// Which of several handlers gets a message.
@Suite("The handlers of the outbox")
struct OutboxHandlersTests {
  /// Remembers the kinds that it was given.
  private final class Handler: OutboxHandler {
    let kinds: Set<OutboxMessage.Kind>?
    let heldKinds: Set<OutboxMessage.Kind>
    private let seen = Locked<[OutboxMessage.Kind]>([])

    init(_ kinds: Set<OutboxMessage.Kind>?, holding heldKinds: Set<OutboxMessage.Kind> = []) {
      self.kinds = kinds
      self.heldKinds = heldKinds
    }

    var delivered: [OutboxMessage.Kind] { seen.withLock { $0 } }

    func deliver(_ message: OutboxMessage, number: Int) {
      seen.withLock { $0.append(message.kind) }
    }
  }

  /// Takes what it is given, as the kinds of a handler are by default.
  private struct Plain: OutboxHandler {
    func deliver(_ message: OutboxMessage, number: Int) {}
  }

  @Test("a message goes to the first that names its kind, wherever the others are in the list")
  func byKind() async throws {
    let (all, links, others) = (Handler(nil), Handler([.link]), Handler([.link, .consumption]))
    let report = try await deliver([.link, .consumption, .unlink], to: [all, links, others])
    #expect(report == OutboxDelivery.Report(delivered: 3))
    #expect(links.delivered == [.link])
    #expect(others.delivered == [.consumption])
    #expect(all.delivered == [.unlink])
  }

  @Test("a message whose kind nobody takes counts as delivered, and each kind is reported once")
  func nobody() async throws {
    let links = Handler([.link])
    let reported = Locked<[String]>([])
    let report = try await deliver([.unlink, .link, .unlink], to: [links]) { incident in
      reported.withLock { $0.append("\(incident)") }
    }
    #expect(report == OutboxDelivery.Report(delivered: 3))
    #expect(links.delivered == [.link])
    #expect(reported.withLock { $0 } == ["no handler takes a kind of messages: unlink"])
  }

  @Test("a handler holds back only the kinds that it takes")
  func held() async throws {
    let all = Handler(nil, holding: [.link, .sync])
    let links = Handler([.link], holding: [.consumption])
    let idle = Handler(nil, holding: [.unlink])
    #expect(OutboxHandlers(handlers: [all, links, idle]).heldKinds == [.sync])
    let report = try await deliver([.link, .sync, .unlink], to: [all, links, idle])
    #expect(report == OutboxDelivery.Report(delivered: 2))
    #expect(links.delivered == [.link])
    #expect(all.delivered == [.unlink])
    #expect(idle.delivered == [])
  }

  @Test("a handler that says nothing takes all kinds, and holds none back")
  func byDefault() {
    #expect(Plain().kinds == nil)
    #expect(OutboxHandlers(handlers: [Plain()]).handler(of: .sync) != nil)
    #expect(OutboxHandlers(handlers: [Plain()]).heldKinds == [])
  }

  private func deliver(
    _ kinds: [OutboxMessage.Kind], to handlers: [any OutboxHandler],
    report: @escaping @Sendable (ServiceIncident) -> Void = { _ in }
  ) async throws -> OutboxDelivery.Report {
    let store = InMemoryPurchaseStore()
    try await store.write { records in
      for kind in kinds {
        try await records.outbox.add(
          OutboxMessage(kind: kind, originalTransactionID: "1", reference: "a"),
          now: Date(timeIntervalSince1970: 0))
      }
    }
    return try await OutboxDelivery(store: store, handlers: handlers, report: report).deliverDue()
  }
}
