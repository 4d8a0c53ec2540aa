internal import Storekeeper
internal import StorekeeperLocks
internal import Synchronization

/// One series of a family: a counter, a gauge or a histogram.
final class Series: Sendable {
  /// The state of a gauge or a histogram.
  struct State {
    /// A histogram's sum.
    var sum = Duration.zero
    /// A gauge's number; nil if nothing is known.
    var value: Double?
    /// A histogram's observations, each in one bucket.
    var buckets: [Int]
    /// The last traced observation in each bucket.
    var exemplars: [Exemplar?]
  }

  /// An observation in a trace that is kept.
  struct Exemplar {
    var traceID: UInt128
    var spanID: UInt64
    var duration: Duration
  }

  let labels: [String]
  private let bounds: [Duration]
  private let state: Locked<State>
  private let counted = Atomic(0)

  init(_ family: MetricFamily, _ labels: [String]) {
    self.labels = labels
    bounds = family.bounds
    let count = family.kind == .histogram ? bounds.count + 1 : 0
    state = Locked(
      State(
        buckets: Array(repeating: 0, count: count), exemplars: Array(repeating: nil, count: count)))
  }

  var now: State { state.withLock { $0 } }

  /// A counter's number.
  var total: Int { counted.load(ordering: .relaxed) }

  func add(_ number: Int = 1) { counted.wrappingAdd(number, ordering: .relaxed) }

  func set(_ value: Double?) { state.withLock { $0.value = value } }

  func observe(_ duration: Duration, in span: TelemetrySpan) {
    var index = 0
    while index < bounds.count, duration > bounds[index] { index += 1 }
    state.withLock { state in
      state.sum += duration
      state.buckets[index] += 1
      guard span.isSampled else { return }
      state.exemplars[index] = Exemplar(
        traceID: span.traceID, spanID: span.id, duration: duration)
    }
  }
}

/// The series of one family, each made once.
final class FamilySeries: Sendable {
  /// The number of series of one family; further values of labels count together.
  static let limit = 1000

  let family: MetricFamily
  private let table = Locked<[[String]: Series]>([:])

  init(_ family: MetricFamily) { self.family = family }

  /// Returns the series with these values of the labels.
  func series(_ labels: String...) -> Series {
    table.withLock { table in
      if let known = table[labels] { return known }
      let isFull = table.count >= Self.limit
      let kept = isFull ? Array(repeating: "other", count: labels.count) : labels
      if isFull, let other = table[kept] { return other }
      let series = Series(family, kept)
      table[kept] = series
      return series
    }
  }

  /// All series, in the order of their labels.
  var sorted: [Series] {
    table.withLock { Array($0.values) }
      .sorted { $0.labels.lexicographicallyPrecedes($1.labels) }
  }
}

/// A key of ``Handles``.
protocol HandleKey: Hashable, Sendable {
  /// A number that is quick to make, and that few keys have in common.
  var mark: Int { get }
}

/// The series that one kind of work tells, found by what tells them apart, so that each is looked up once.
@safe final class Handles<Key: HandleKey, Value: AnyObject & Sendable>: @unchecked Sendable {
  // Sendable because the places of the slots are atomic, and what is in one stays there until the end.

  private final class Entry: Sendable {
    let key: Key
    let value: Value

    init(_ key: Key, _ value: Value) { (self.key, self.value) = (key, value) }
  }

  /// The first key of each slot, which its mark chooses, found without a lock and used without a count of references.
  private let slots: UnsafeMutableBufferPointer<Atomic<UnsafeRawPointer?>>
  private let table = Locked<[Key: Value]>([:])
  private let make: @Sendable (Key) -> Value

  init(_ make: @escaping @Sendable (Key) -> Value) {
    unsafe slots = .allocate(capacity: 64)
    for index in unsafe slots.indices {
      unsafe slots.initializeElement(at: index, to: Atomic(nil))
    }
    self.make = make
  }

  deinit {
    for index in unsafe slots.indices {
      if let entry = unsafe slots[index].load(ordering: .acquiring) {
        unsafe Unmanaged<Entry>.fromOpaque(entry).release()
      }
    }
    unsafe slots.deinitialize().deallocate()
  }

  /// Calls a function with the series of a key.
  func with(_ key: Key, _ body: (Value) -> Void) {
    let entry = unsafe Unmanaged<Entry>.fromOpaque(first(in: key.mark & 63, for: key))
    unsafe entry._withUnsafeGuaranteedRef { entry in
      entry.key == key ? body(entry.value) : body(found(key))
    }
  }

  /// Returns the entry of a slot, which is made for a key if there is none.
  private func first(in slot: Int, for key: Key) -> UnsafeRawPointer {
    if let entry = unsafe slots[slot].load(ordering: .acquiring) { return unsafe entry }
    let made = unsafe Unmanaged.passRetained(Entry(key, make(key)))
    let (isFirst, earlier) = unsafe slots[slot].compareExchange(
      expected: nil, desired: made.toOpaque(), ordering: .acquiringAndReleasing)
    guard !isFirst, let earlier = unsafe earlier else {
      return unsafe UnsafeRawPointer(made.toOpaque())
    }
    unsafe made.release()
    return unsafe earlier
  }

  private func found(_ key: Key) -> Value {
    if let known = table.withLock({ $0[key] }) { return known }
    let made = make(key)
    // What is not remembered is found in the families, more slowly.
    table.withLock { if $0.count < 4 * FamilySeries.limit { $0[key] = made } }
    return made
  }
}
