/// Holds tasks up until it is opened, and tells how many came.
actor Gate {
  private var isOpen = false
  private var count = 0
  private var held: [CheckedContinuation<Void, Never>] = []
  private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// How many came.
  var arrived: Int { count }

  /// Notes that somebody came.
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

  /// Waits until so many have come.
  func arrivals(_ expected: Int) async {
    if count < expected { await withCheckedContinuation { watchers.append((expected, $0)) } }
  }

  func open() {
    isOpen = true
    for continuation in held { continuation.resume() }
    held = []
  }
}
