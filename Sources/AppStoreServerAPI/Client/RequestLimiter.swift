internal import ReceiptModels
internal import StorekeeperLocks

/// A limiter that keeps each call to Apple below its documented rate.
///
/// All clients and tasks with the same limiter share the rates, for each call, app and environment.
/// In any second, at most as many requests begin as Apple allows in a second; if Apple allows less
/// than one, they are at least that far apart. The Sandbox allows a tenth of what Production does.
/// After Apple's answer "too many requests", all requests of that call, app and environment wait.
///
/// The processes of a service do not know of each other: give each its ``share``. Source: Apple,
/// "Identifying rate limits".
public final class RequestLimiter: Sendable {
  /// The limiter of all clients that are created without one.
  public static let shared = RequestLimiter()

  /// The share of the documented rates that is used, greater than 0; 1 by default.
  public let share: Double
  /// Rates that replace Apple's, in requests a second and app in Production.
  public let rates: [AppStoreServerEndpoint: Double]
  /// Whether requests are limited; pauses after "too many requests" are kept in any case.
  public let isLimiting: Bool

  private let clock: any Clock<Duration>
  private let uptime: Stopwatch
  private let lanes: Locked<[Lane: Traffic]>

  /// Creates a limiter.
  ///
  /// A share, such as 0.25 for one of four processes, counts as 1 if it is not greater than 0. A rate that
  /// is not greater than 0 is not limited.
  public init(
    share: Double = 1, rates: [AppStoreServerEndpoint: Double] = [:], isLimiting: Bool = true,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.share = share > 0 && share.isFinite ? share : 1
    self.rates = rates
    self.isLimiting = isLimiting
    self.clock = clock
    uptime = Stopwatch(clock)
    lanes = Locked([:])
  }

  /// The call, app and environment that share one rate.
  struct Lane: Hashable, Sendable {
    let endpoint: AppStoreServerEndpoint
    let bundleID: String
    let environment: AppStoreEnvironment
  }

  /// The outcome of waiting for a turn.
  enum Turn: Equatable {
    case begun
    /// The wait would take this long, which is more than the caller's patience; nothing was
    /// reserved.
    case tooLong(Duration)
  }

  /// Waits until a request may begin.
  func turn(in lane: Lane, within patience: Duration) async throws -> Turn {
    let rate = isLimiting ? rate(of: lane) : nil
    let end = uptime.elapsed + patience
    while true {
      let begin = uptime.elapsed
      let reserved: Result<Duration, Overlong> = lanes.withLock { lanes in
        lanes[lane, default: Traffic()].reserve(at: begin, rate: rate, before: end)
      }
      switch reserved {
      case .failure(let overlong): return .tooLong(overlong.wait)
      case .success(let start):
        guard start > begin else { return .begun }
        do {
          try await clock.sleep(for: start - begin)
        } catch {
          lanes.withLock { $0[lane]?.giveBack(start) }
          throw error
        }
      }
      // A pause may have begun during the sleep. Each request that it holds back needs a new turn, or all
      // would begin together at its end.
      guard isPaused(lane) else { return .begun }
    }
  }

  /// Holds all requests of a lane back for a while.
  func pause(_ lane: Lane, for time: Duration) {
    let end = uptime.elapsed + min(max(time, .zero), .seconds(86_400))
    lanes.withLock { lanes in
      let present = lanes[lane, default: Traffic()].pauseEnd
      lanes[lane, default: Traffic()].pauseEnd = max(end, present)
    }
  }

  private func isPaused(_ lane: Lane) -> Bool {
    let now = uptime.elapsed
    return lanes.withLock { ($0[lane]?.pauseEnd ?? .zero) > now }
  }

  private func rate(of lane: Lane) -> Double? {
    guard let rate = rates[lane.endpoint] ?? lane.endpoint.documentedRate, rate > 0 else {
      return nil
    }
    return rate * share * (lane.environment == .production ? 1 : 0.1)
  }
}

/// A wait that is longer than the patience.
private struct Overlong: Error {
  let wait: Duration
}

/// The recent and reserved requests of a lane, in times since the limiter's creation.
private struct Traffic: Sendable {
  /// The times of the latest requests, at most as many as may begin in a window.
  private var starts: [Duration] = []
  /// The index of the oldest of them, once they are as many as may begin in a window.
  private var oldest = 0
  /// The number of requests that may begin in a window, and its length.
  private var capacity = 1
  private var window = Duration.zero
  var pauseEnd = Duration.zero

  /// Reserves the next time at which a request may begin.
  mutating func reserve(
    at now: Duration, rate: Double?, before limit: Duration
  ) -> Result<Duration, Overlong> {
    var start = max(now, pauseEnd)
    guard let rate else {
      return start <= limit ? .success(start) : .failure(Overlong(wait: start - now))
    }
    let count = max(1, Int(min(rate, 100_000)))
    // Not shorter than a second if the rate is no whole number: two windows would fit into one.
    let window = Duration.seconds(1) * min(max(1, Double(count) / rate), 86_400)
    (self.window, capacity) = (window, count)
    if starts.count == count { start = max(start, starts[oldest] + window) }
    guard start <= limit else { return .failure(Overlong(wait: start - now)) }
    if starts.count < count {
      starts.append(start)
    } else {
      starts[oldest] = start
      oldest = (oldest + 1) % count
    }
    return .success(start)
  }

  /// Takes a reservation back, if none was made after it.
  mutating func giveBack(_ start: Duration) {
    guard !starts.isEmpty else { return }
    let newest = (oldest + starts.count - 1) % starts.count
    guard starts[newest] == start else { return }
    guard starts.count == capacity else {
      starts.removeLast()
      return
    }
    // The request before it began at least a window earlier.
    starts[newest] = start - window
    oldest = newest
  }
}
