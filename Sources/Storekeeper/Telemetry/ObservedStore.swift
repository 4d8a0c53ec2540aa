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
  private let port: TelemetryPort

  init(_ base: any PurchaseStore, _ port: TelemetryPort) {
    self.base = base
    self.port = port
  }

  var capabilities: Set<StoreCapability> { base.capabilities }

  func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    let attempts = UnitAttempts(isWriting: false, port)
    do {
      let result = try await base.read { unit in
        attempts.begin()
        return try await body(unit)
      }
      attempts.end(nil)
      return result
    } catch {
      attempts.end(error)
      throw error
    }
  }

  func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    let attempts = UnitAttempts(isWriting: true, port)
    do {
      let result = try await base.write { unit in
        attempts.begin()
        return try await body(unit)
      }
      attempts.end(nil)
      return result
    } catch {
      attempts.end(error)
      throw error
    }
  }

  func tryWriting() async throws { try await base.tryWriting() }
}

/// The attempts of one unit of work.
private struct UnitAttempts: ~Copyable, Sendable {
  private struct State {
    var count = 0
    var wait = Duration.zero
  }

  private let watch: WorkWatch
  private let state = Locked(State())

  init(isWriting: Bool, _ port: TelemetryPort) {
    watch = WorkWatch(.unitOfWork(isWriting: isWriting), port)
  }

  /// Notes that the closure is called: once, or again after a conflict or a lost connection.
  func begin() {
    let wait = watch.start.duration(to: .now)
    state.withLock { state in
      state.count += 1
      if state.count == 1 { state.wait = wait }
    }
  }

  func end(_ error: (any Error)?) {
    let (count, wait) = state.withLock { ($0.count, $0.wait) }
    watch.end(Self.verdict(on: error), .attempts(count, wait: wait))
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
