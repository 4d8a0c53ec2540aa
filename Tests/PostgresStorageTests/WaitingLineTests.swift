import PostgresStorage
import Testing

@Suite("The line before the pool")
struct WaitingLineTests {
  private let deadline = ContinuousClock.now

  @Test("a line that is never empty does not remember all who ever came")
  func length() {
    var line = WaitingLine<Int>()
    line.add(0, ticket: 0, deadline: deadline)
    for number in 1...10_000 {
      line.add(number, ticket: number, deadline: deadline)
      #expect(line.removeFirst() == number - 1)
    }
    #expect(line.count == 1)
    #expect(line.places < 100)
  }

  @Test("nor do those who leave from behind one who stays")
  func leavers() {
    var line = WaitingLine<Int>()
    line.add(0, ticket: 0, deadline: deadline)
    for number in 1...10_000 {
      line.add(number, ticket: number, deadline: deadline)
      #expect(line.remove(number) == number)
    }
    #expect(line.places < 100)
    #expect(line.removeFirst() == 0)
    #expect(line.removeFirst() == nil)
  }

  @Test("who came first is first, whoever has left before")
  func order() {
    var line = WaitingLine<Int>()
    for number in 0..<1000 { line.add(number, ticket: number, deadline: deadline) }
    for number in 0..<1000 where number % 10 != 3 { _ = line.remove(number) }
    for number in 1000..<1010 { line.add(number, ticket: number, deadline: deadline) }
    var served: [Int] = []
    while let number = line.removeFirst() { served.append(number) }
    #expect(served == stride(from: 3, to: 1000, by: 10) + Array(1000..<1010))
  }
}
