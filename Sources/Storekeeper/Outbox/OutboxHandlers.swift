internal import ReceiptModels

/// The handlers of a host, each for its kinds of messages.
struct OutboxHandlers: Sendable {
  let handlers: [any OutboxHandler]

  /// Returns the handler of a kind: the first that names it, otherwise the first that names none.
  func handler(of kind: OutboxMessage.Kind) -> (any OutboxHandler)? {
    index(of: kind).map { handlers[$0] }
  }

  /// The kinds that stay in the outbox for now: those that their own handler holds back.
  var heldKinds: Set<OutboxMessage.Kind> {
    var held: Set<OutboxMessage.Kind> = []
    for (index, handler) in handlers.enumerated() {
      held.formUnion(handler.heldKinds.filter { self.index(of: $0) == index })
    }
    return held
  }

  private func index(of kind: OutboxMessage.Kind) -> Int? {
    handlers.firstIndex { $0.kinds?.contains(kind) == true }
      ?? handlers.firstIndex { $0.kinds == nil }
  }
}
