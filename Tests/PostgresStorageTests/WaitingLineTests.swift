import StorekeeperLocks
import Testing

@Suite("The line before the pool")
struct WaitingLineTests {
  private struct Refused: Error, Equatable {}

  /// Starts tasks that wait for the one item, each after the one before has joined the line.
  private func wait(
    in line: WaitingLine<Int>, _ numbers: Range<Int>, served: Series
  ) async -> [Task<Void, any Error>] {
    var tasks: [Task<Void, any Error>] = []
    for number in numbers {
      let before = line.count
      tasks.append(
        Task {
          let item = try await line.take()
          served.append(number)
          line.giveBack(item)
        })
      while line.count == before { await Task.yield() }
    }
    return tasks
  }

  @Test("a waiter that leaves is forgotten, also behind one that stays")
  func leavers() async throws {
    let line = WaitingLine([0])
    let served = Series()
    let item = try await line.take()
    let first = await wait(in: line, 0..<1, served: served)
    for number in 1...100 {
      let tasks = await wait(in: line, number..<number + 1, served: served)
      for task in tasks {
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
      }
      #expect(line.count == 1)
    }
    line.giveBack(item)
    for task in first { try await task.value }
    #expect(served.numbers == [0])
    #expect(line.count == 0)
  }

  @Test("waiters are served in the order of asking, whichever have left")
  func order() async throws {
    let line = WaitingLine([0])
    let served = Series()
    let item = try await line.take()
    let tasks = await wait(in: line, 0..<200, served: served)
    for (number, task) in tasks.enumerated() where number % 10 != 3 { task.cancel() }
    while line.count > 20 { await Task.yield() }
    let later = await wait(in: line, 200..<210, served: served)
    line.giveBack(item)
    for task in tasks + later { _ = await task.result }
    #expect(served.numbers == stride(from: 3, to: 200, by: 10) + Array(200..<210))
  }

  @Test("a refusal ends every wait with its error, and later waits are served")
  func refusal() async throws {
    let line = WaitingLine([0])
    let served = Series()
    let item = try await line.take()
    let refused = await wait(in: line, 0..<3, served: served)
    line.refuseWaiting(Refused())
    for task in refused { await #expect(throws: Refused()) { try await task.value } }
    let later = await wait(in: line, 3..<4, served: served)
    line.giveBack(item)
    for task in later { try await task.value }
    #expect(served.numbers == [3])
  }
}
