internal import CStorekeeperCurl

/// What the thread of a ``TransferLoop`` does.
final class LoopWork {
  private let loop: TransferLoop
  private let transfers: Transfers

  init(loop: TransferLoop, transfers: consuming sending Transfers) {
    self.loop = loop
    self.transfers = transfers
  }

  /// Carries out orders until there are none for long, or will be none.
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

  /// Waits where the process may end meanwhile.
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

  /// Curl has failed as a whole, as without memory; the next exchange has another thread.
  private func giveUp() {
    for order in loop.giveUp() { carryOut(order) }
    transfers.endAll(CURLE_FAILED_INIT)
  }

  /// How long connections are kept when there is no exchange.
  private static let patience = Duration.seconds(20)
}
