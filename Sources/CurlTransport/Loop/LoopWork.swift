internal import CStorekeeperCurl
internal import StorekeeperLocks

/// The work of a ``TransferLoop``'s thread.
final class LoopWork {
  private let loop: TransferLoop
  private let transfers: Transfers

  init(loop: TransferLoop, transfers: consuming sending Transfers) {
    self.loop = loop
    self.transfers = transfers
  }

  /// Carries out orders until there have been none for a while, or can be no more.
  func run() {
    var idleSince = ContinuousClock.now
    while true {
      for order in loop.takeOrders() { carryOut(order) }
      guard transfers.advance() else { return giveUp() }
      if !transfers.isEmpty { idleSince = .now }
      let idleTime = idleSince.duration(to: .now)
      if transfers.isEmpty, loop.mayEnd(isTired: idleTime >= Self.patience) { return }
      let wait = transfers.isEmpty ? Self.patience - idleTime : .seconds(60)
      guard self.wait(max(wait, .milliseconds(1))) else { return giveUp() }
    }
  }

  /// Waits in a state in which the process may end.
  private func wait(_ time: Duration) -> Bool {
    ProcessEnd.gate.leave()
    defer { ProcessEnd.gate.enter() }
    return transfers.wait(time)
  }

  private func carryOut(_ order: TransferLoop.Order) {
    switch order {
    case .begin(let exchange): transfers.begin(exchange)
    case .drop(let exchange): transfers.drop(exchange)
    }
  }

  /// Ends all transfers after a general failure of curl, such as lack of memory; the next exchange
  /// starts another thread.
  private func giveUp() {
    for order in loop.giveUp() { carryOut(order) }
    transfers.endAll(CURLE_FAILED_INIT)
  }

  /// The time for which connections are kept without an exchange.
  private static let patience = Duration.seconds(20)
}
