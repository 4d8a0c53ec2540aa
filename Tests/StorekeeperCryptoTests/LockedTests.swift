import StorekeeperLocks
import StorekeeperCrypto
import Testing

@Suite("A value behind a lock")
struct LockedTests {
  private final class Counter: Sendable {
    let value = Locked(0)
    let list = Locked<[Int]>([])
  }

  private struct Refusal: Error, Equatable {}

  @Test("no change of eight tasks is lost")
  func concurrent() async {
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<5_000 {
            counter.value.withLock { $0 += 1 }
            if number % 100 == 0 { counter.list.withLock { $0.append(task) } }
          }
        }
      }
    }
    #expect(counter.value.withLock { $0 } == 40_000)
    let list = counter.list.withLock { $0 }
    #expect((0..<8).allSatisfy { task in list.count { $0 == task } == 50 })
  }

  @Test("the lock is released when the closure throws")
  func throwing() {
    let counter = Counter()
    for _ in 0..<2 {
      #expect(throws: Refusal()) {
        try counter.value.withLock { value throws(Refusal) in
          value += 1
          throw Refusal()
        }
      }
    }
    #expect(counter.value.withLock { $0 } == 2)
  }
}
