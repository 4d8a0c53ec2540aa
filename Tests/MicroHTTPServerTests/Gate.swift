/// A gate that holds tasks until it opens, and counts arrivals.
actor Gate {
  private var isOpen = false
  private var count = 0
  private var held: [CheckedContinuation<Void, Never>] = []
  private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// The number of arrivals.
  var arrived: Int { count }

  /// Counts an arrival.
  func note() {
    count += 1
    for watcher in watchers where watcher.count <= count { watcher.continuation.resume() }
    watchers.removeAll { $0.count <= count }
  }

  /// Waits until the gate is open.
  func pass() async {
    note()
    if !isOpen { await withCheckedContinuation { held.append($0) } }
  }

  /// Waits for a number of arrivals.
  func arrivals(_ expected: Int) async {
    if count < expected { await withCheckedContinuation { watchers.append((expected, $0)) } }
  }

  func open() {
    isOpen = true
    for continuation in held { continuation.resume() }
    held = []
  }
}
