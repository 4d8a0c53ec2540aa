/// Tasks that wait until a number is reached.
struct CountObservers {
  private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// Adds a task, to be resumed when the number reaches the count.
  mutating func add(_ continuation: CheckedContinuation<Void, Never>, until count: Int) {
    waiting.append((count, continuation))
  }

  /// Takes out the tasks whose count is reached, to be resumed outside the lock.
  mutating func take(reachedBy number: Int) -> [CheckedContinuation<Void, Never>] {
    let reached = waiting.filter { $0.count <= number }.map(\.continuation)
    waiting.removeAll { $0.count <= number }
    return reached
  }
}
