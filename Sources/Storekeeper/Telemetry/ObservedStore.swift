public import PurchaseStorage
internal import StorekeeperLocks

extension PurchaseStore {
  /// Returns a store whose units of work a port is told of; this one without a port.
  ///
  /// ``PurchaseContext/telemetry`` does this for the context's own store. A store that is told of is not told of twice.
  public func observed(by telemetry: (any Telemetry)?) -> any PurchaseStore {
    let base = (self as? ObservedStore)?.base ?? self
    guard let telemetry else { return base }
    return ObservedStore(base, TelemetryPort(telemetry))
  }
}

/// A store that tells how long its units of work wait and take, how often each is begun, and how it ends.
private final class ObservedStore: StoreLayer {
  let base: any PurchaseStore
  /// The store that reads, if it counts attempts by itself.
  private let counting: (any AttemptCountingStore)?
  private let port: TelemetryPort

  init(_ base: any PurchaseStore, _ port: TelemetryPort) {
    self.base = base
    counting = base.withoutLayers as? any AttemptCountingStore
    self.port = port
  }

  var capabilities: Set<StoreCapability> { base.capabilities }

  func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    let unit = ObservedUnit(isWriting: false, port)
    var failure: (any Error)?
    defer { unit.end(failure) }
    do {
      if let counting { return try await counting.read(counting: unit.attempts, body) }
      return try await base.read { records in
        unit.begin()
        return try await body(records)
      }
    } catch {
      failure = error
      throw error
    }
  }

  func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    let unit = ObservedUnit(isWriting: true, port)
    var failure: (any Error)?
    defer { unit.end(failure) }
    do {
      return try await base.write { records in
        unit.begin()
        return try await body(records)
      }
    } catch {
      failure = error
      throw error
    }
  }

  func tryWriting() async throws { try await base.tryWriting() }
}

/// The telling of one unit of work.
///
/// It is smaller than a ``WorkWatch``, with which a request on SQLite makes one allocation more. Its calls are not inlined,
/// for the same reason as there.
private struct ObservedUnit: ~Copyable, Sendable {
  let attempts = UnitAttempts()
  private let port: TelemetryPort
  private let isWriting: Bool
  private let span: TelemetrySpan
  private let start: ClockMoment

  @inline(never)
  init(isWriting: Bool, _ port: TelemetryPort) {
    self.port = port
    self.isWriting = isWriting
    span = TelemetrySpan(for: port.telemetry)
    start = .now
    port.telemetry.began(.unitOfWork(isWriting: isWriting), in: span)
  }

  /// Notes an attempt, of which the first ends the wait.
  @inline(never)
  func begin() {
    attempts.wait(start.duration(to: .now))
    attempts.begin()
  }

  @inline(never)
  func end(_ error: (any Error)?) {
    port.telemetry.ended(
      .unitOfWork(isWriting: isWriting), in: span,
      with: Self.verdict(on: error).result(
        from: start, .attempts(attempts.count, wait: attempts.wait)))
  }

  /// An error of the closure takes back what it wrote, as it should; only those of the store are failures.
  private static func verdict(on error: (any Error)?) -> TelemetryVerdict {
    switch error {
    case nil: TelemetryVerdict(.succeeded)
    case is CancellationError: TelemetryVerdict(.cancelled)
    case StorageFailure.conflict?: TelemetryVerdict(.conflict)
    case StorageFailure.unavailable?: TelemetryVerdict(.unavailable, "unavailable")
    case let failure as StorageFailure where failure.isFull: TelemetryVerdict(.failed, "diskFull")
    case StorageFailure.duplicate?: TelemetryVerdict(.refused, "duplicate")
    case StorageFailure.invalidValue?: TelemetryVerdict(.refused, "invalidValue")
    case is StorageFailure: TelemetryVerdict(.failed, "database")
    default: TelemetryVerdict(.refused)
    }
  }
}
