import Dispatch
import Foundation
import PurchaseStorage
import SQLStorage
import SQLiteStorage
import Synchronization
import Testing

@Suite("Reads of SQLite in place")
struct ReadingInPlaceTests {
  @available(macOS 26, *)
  @Test(
    "a short read runs on the thread that begins it, wherever that is", arguments: [true, false])
  func here(isAllowed: Bool) async throws {
    try await withStore { store, _ in
      try await store.save("1")
      let isHere = try await begun(inPlace: isAllowed) { thread in
        try await store.read { records in
          let found = try await records.storedSubscriptions.find(["1"])
          #expect(found.count == 1)
          return thread.isPresent
        }
      }
      #expect(isHere)
    }
  }

  @available(macOS 26, *)
  @Test(
    "a read with a long statement runs on the thread that begins it only where that may wait",
    arguments: [true, false])
  func long(isAllowed: Bool) async throws {
    try await withStore { store, _ in
      try await store.save("1")
      let isHere = try await begun(inPlace: isAllowed) { thread in
        try await store.readLong(thread)
      }
      #expect(isHere == isAllowed)
    }
  }

  @available(macOS 26, *)
  @Test(
    "a read with many short statements runs on the thread that begins it only where that may wait",
    arguments: [true, false])
  func many(isAllowed: Bool) async throws {
    try await withStore { store, _ in
      try await store.save("1")
      let isHere = try await begun(inPlace: isAllowed) { thread in
        try await store.read { records in
          for _ in 0..<5_000 { _ = try await records.storedSubscriptions.find(["1"]) }
          return thread.isPresent
        }
      }
      #expect(isHere == isAllowed)
    }
  }

  @available(macOS 26, *)
  @Test("after a long read the next short one runs where it is called again")
  func shortAfterLong() async throws {
    var configuration = SQLiteConfiguration()
    configuration.readers = 1
    try await withStore(configuration) { store, _ in
      try await store.save("1")
      let isHere = try await begun(inPlace: false) { thread in
        try await store.readLong(thread)
      }
      #expect(!isHere)
      let isNextHere = try await begun(inPlace: false) { thread in
        try await store.read { _ in thread.isPresent }
      }
      #expect(isNextHere)
    }
  }

  @Test("a short read is begun once, however often it has run before")
  func often() async throws {
    try await withStore { store, _ in
      try await store.save("1")
      let begun = Atomic(0)
      for _ in 0..<8_000 {
        try await store.read { records in
          begun.add(1, ordering: .relaxed)
          _ = try await records.storedSubscriptions.find(["1"])
        }
      }
      #expect(begun.load(ordering: .relaxed) == 8_000)
    }
  }

  @Test("reads that compute for long, one after the other, let other tasks run")
  func turns() async throws {
    var configuration = SQLiteConfiguration()
    configuration.readers = 2 * ProcessInfo.processInfo.activeProcessorCount
    try await withStore(configuration) { [readers = configuration.readers] store, _ in
      let isOver = Flag()
      let seen = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<readers {
          group.addTask {
            for _ in 0..<200 where !isOver.isSet {
              try await store.read { _ in
                let end = ContinuousClock.now + .milliseconds(5)
                while ContinuousClock.now < end {}
              }
            }
            return isOver.isSet
          }
        }
        // The last one to begin, which the others leave no thread.
        group.addTask {
          isOver.set()
          return true
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(seen == Array(repeating: true, count: readers + 1))
    }
  }

  @available(macOS 26, *)
  @Test("the permission ends with its closure")
  func end() async throws {
    try await withStore { store, _ in
      try await store.save("1")
      let isHere = try await begun(inPlace: false, after: { SQLiteStore.readingInPlace {} }) {
        thread in try await store.readLong(thread)
      }
      #expect(!isHere)
    }
  }

  @available(macOS 26, *)
  @Test("one that has to wait for a reader runs elsewhere")
  func noReader() async throws {
    var configuration = SQLiteConfiguration()
    configuration.readers = 1
    try await withStore(configuration) { store, _ in
      let (opened, open) = AsyncStream<Void>.makeStream()
      let (released, release) = AsyncStream<Void>.makeStream()
      let first = Task {
        try await store.read { _ in
          open.finish()
          for await _ in released {}
        }
      }
      for await _ in opened {}
      let isHere = try await begun(inPlace: true, then: { release.finish() }) { thread in
        try await store.read { _ in thread.isPresent }
      }
      #expect(!isHere)
      try await first.value
    }
  }

  @available(macOS 26, *)
  @Test("where another process is in the way, it is waited for elsewhere")
  func conflict() async throws {
    var configuration = SQLiteConfiguration()
    configuration.faults = SQLiteFaults(["begin": [SQLFailure.conflict]])
    try await withStore(configuration) { store, _ in
      let isHere = try await begun(inPlace: true) { thread in
        try await store.read { _ in thread.isPresent }
      }
      #expect(!isHere)
      #expect(configuration.faults?.count("begin") == 2)
    }
  }

  @available(macOS 26, *)
  @Test("a write runs elsewhere in any case")
  func write() async throws {
    try await withStore { store, _ in
      let isHere = try await begun(inPlace: true) { thread in
        try await store.write { _ in thread.isPresent }
      }
      #expect(!isHere)
    }
  }

  @Test("statistics of memory are given up before SQLite is used, or not at all")
  func memoryStatistics() async throws {
    try await withStore { _, _ in #expect(!SQLiteStore.omitMemoryStatistics()) }
  }

  /// A mark that is set once.
  private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
  }

  /// A thread of the process.
  fileprivate struct ThreadID: Sendable {
    private let id = pthread_self()

    var isPresent: Bool { pthread_equal(id, pthread_self()) != 0 }
  }

  /// Begins a task on a thread that is none of Swift's, and waits for it.
  ///
  /// - Parameters:
  ///   - isAllowed: Whether reads may run on that thread.
  ///   - before: What happens there before.
  ///   - then: What happens there once the task waits.
  ///   - body: What the task does; it is told what thread it was begun on.
  /// - Returns: What the task returns.
  /// - Throws: What the task throws.
  @available(macOS 26, *)
  private func begun<Value: Sendable>(
    inPlace isAllowed: Bool, after before: @escaping @Sendable () -> Void = {},
    then: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable (ThreadID) async throws -> Value
  ) async throws -> Value {
    let task = await withCheckedContinuation { continuation in
      DispatchQueue(label: "begun").async {
        before()
        let thread = ThreadID()
        let ended = DispatchSemaphore(value: 0)
        let begin = { () -> Task<Value, any Error> in
          Task.immediate {
            defer { ended.signal() }
            return try await body(thread)
          }
        }
        continuation.resume(returning: isAllowed ? SQLiteStore.readingInPlace(begin) : begin())
        then()
        // Until then nothing else runs on this thread.
        ended.wait()
      }
    }
    return try await task.value
  }
}

extension SQLiteStore {
  /// Looks for more subscriptions than a short statement can; returns whether that ended on a thread.
  fileprivate func readLong(_ thread: ReadingInPlaceTests.ThreadID) async throws -> Bool {
    let ids = (1...10_000).map(String.init)
    return try await read { records in
      let found = try await records.storedSubscriptions.find(ids)
      #expect(found.count == 1)
      return thread.isPresent
    }
  }
}
