import StorekeeperFixtures
import StorekeeperLocks
import Testing

@Suite("A timer wheel")
struct TimerWheelTests {
  @Test("gives values in the order of their ticks, and those of one tick in the order of adding")
  func order() {
    var wheel = TimerWheel<String>(slots: 8)
    for (name, tick) in [("d", 30), ("b", 3), ("e", 31), ("a", 1), ("c", 3)] {
      _ = wheel.add(name, at: tick)
    }
    #expect(wheel.advance(to: 30) == ["a", "b", "c", "d"])
    #expect(wheel.advance(to: 31) == ["e"])
    #expect(wheel.next == nil)
  }

  @Test("gives no value early, also when it passes the slot of one that is due in a later turn")
  func laterTurn() {
    var wheel = TimerWheel<Int>(slots: 8)
    _ = wheel.add(1, at: 17)
    #expect(wheel.next == 1)
    for tick in 1...16 { #expect(wheel.advance(to: tick) == []) }
    #expect(wheel.next == 17)
    #expect(wheel.advance(to: 17) == [1])
  }

  @Test("gives a value whose tick has passed at the next one")
  func late() {
    var wheel = TimerWheel<Int>(slots: 8)
    #expect(wheel.advance(to: 100) == [])
    for due in 5...101 { #expect(wheel.visit(of: due) == 101) }
    _ = wheel.add(1, at: 5)
    #expect(wheel.next == 101)
    #expect(wheel.advance(to: 101) == [1])
  }

  @Test("gives a removed value to nobody, and removes no other in its place")
  func removal() {
    var wheel = TimerWheel<Int>(slots: 8)
    let first = wheel.add(1, at: 3)
    #expect(wheel.remove(first) == 1)
    #expect(wheel.next == nil)
    _ = wheel.add(2, at: 3)
    #expect(wheel.remove(first) == nil)
    #expect(wheel.advance(to: 3) == [2])
    #expect(wheel.remove(first) == nil)
  }

  @Test("keeps a value for the last tick of all")
  func endOfTime() {
    var wheel = TimerWheel<Int>(slots: 8)
    let place = wheel.add(1, at: .max)
    #expect(wheel.advance(to: .max - 1) == [])
    #expect(wheel.remove(place) == 1)
  }

  @Test("does as a list does, whatever is added, removed and passed", arguments: 1...20)
  func model(seed: UInt64) {
    var random = SplitMix(state: seed)
    var wheel = TimerWheel<Int>(slots: 16)
    var list: [(tick: Int, value: Int, place: TimerWheel<Int>.Place)] = []
    var now = 0
    for value in 0..<2_000 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let tick = now + Int.random(in: 1...80, using: &random)
        list.append((tick, value, wheel.add(value, at: tick)))
        #expect(now + 1...now + 16 ~= wheel.visit(of: tick))
      case 5..<8:
        guard let index = list.indices.randomElement(using: &random) else { continue }
        #expect(wheel.remove(list[index].place) == list[index].value)
        list.remove(at: index)
      case 8:
        // No value is due before the wheel comes to its slot.
        let end = Int.random(in: now..<(wheel.next ?? now + 5), using: &random)
        wheel.skip(to: end)
        now = max(now, end)
      default:
        now += Int.random(in: 0...40, using: &random)
        let due = list.filter { $0.tick <= now }
          .sorted { ($0.tick, $0.value) < ($1.tick, $1.value) }
        list.removeAll { $0.tick <= now }
        #expect(wheel.advance(to: now) == due.map(\.value))
      }
      let earliest = list.map(\.tick).min()
      #expect((wheel.next == nil) == (earliest == nil))
      if let next = wheel.next, let earliest { #expect(next > now && next <= earliest) }
    }
  }
}
