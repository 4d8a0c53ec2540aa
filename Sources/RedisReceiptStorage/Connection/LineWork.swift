internal import StorekeeperLocks

/// The work of a ``RedisLine``'s thread: it keeps one connection open and sends the calls.
final class LineWork {
  private let line: RedisLine
  private let configuration: RedisReceiptStore.Configuration
  private let poller: Poller

  /// The pauses between connections.
  private static let backOff = BackOff(
    first: .milliseconds(100), longest: .seconds(5), jitter: 0.5...1)
  /// The time in which a connection must be opened; no call waits longer than its own deadline.
  private static let patience = Duration.seconds(10)

  init(line: RedisLine, configuration: RedisReceiptStore.Configuration, poller: Poller) {
    self.line = line
    self.configuration = configuration
    self.poller = poller
  }

  /// Opens connections until no call can come any more.
  func run() {
    var failures = 0
    while !line.isEnding {
      do throws(RedisReceiptStore.Failure) {
        let connection = try open()
        failures = 0
        line.noteOpened()
        try serve(connection)
      } catch {
        failures += 1
        line.noteLost(error)
        pause(Self.backOff.pause(after: failures, chance: .random(in: 0...1)))
      }
    }
  }

  private func open() throws(RedisReceiptStore.Failure) -> RedisConnection {
    try RedisConnection(
      configuration, poller: poller, until: .after(Self.patience),
      isEnding: { self.line.isEnding })
  }

  /// Sends calls and waits for others, until the end or a failure.
  private func serve(_ connection: RedisConnection) throws(RedisReceiptStore.Failure) {
    while !line.isEnding {
      let calls = line.takeCalls()
      if calls.isEmpty { try connection.idle() } else { try exchange(calls, on: connection) }
    }
  }

  private func exchange(
    _ calls: [RedisCall], on connection: RedisConnection
  ) throws(RedisReceiptStore.Failure) {
    var rest = calls[...]
    do throws(RedisReceiptStore.Failure) {
      try connection.checkQuiet()
      try connection.send(calls.flatMap(\.command.bytes), until: calls[0].deadline)
      while let call = rest.first {
        let reply = try connection.reply(until: call.deadline)
        rest = rest.dropFirst()
        try call.end(with: reply)
      }
    } catch {
      for call in rest { call.end(.failure(error)) }
      // A late reply would be taken for that of the next call.
      throw error == .timeUp ? .notConnected : error
    }
  }

  private func pause(_ time: Duration) {
    let end = ContinuousClock.Instant.after(time)
    while !line.isEnding, .now < end { poller.wait(until: end) }
  }
}
