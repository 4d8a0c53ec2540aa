/// Values that are due at ticks of a clock, in a hashed wheel.
///
/// A value lies in the slot of its tick, which the wheel passes once a turn, so that adding and removing one cost the
/// same however many there are.
package struct TimerWheel<Value> {
  /// A value's place, which is another's once it is free.
  package struct Place: Hashable, Sendable {
    fileprivate let index: Int
    fileprivate let number: Int
  }

  private struct Entry {
    var value: Value?
    var tick = 0
    var number = 0
    var previous = none
    /// The next entry of the slot, or of the free ones.
    var next = none
  }

  private static var none: Int { -1 }

  private var entries: [Entry] = []
  private var firstFree = none
  /// The first entry of each slot.
  private var slots: [Int]
  private var numbers = 0
  /// The last tick that has passed.
  private var tick = 0
  private var count = 0

  /// Creates a wheel whose number of slots is a power of two.
  package init(slots: Int) {
    precondition(slots > 0 && slots & (slots - 1) == 0, "The number of slots is a power of two.")
    self.slots = Array(repeating: Self.none, count: slots)
  }

  private func slot(of tick: Int) -> Int { tick & (slots.count - 1) }

  /// The tick at which the wheel next comes to a slot with values, which may be due in a later turn; nil without values.
  package var next: Int? {
    guard count > 0 else { return nil }
    return (tick + 1...tick + slots.count).first { slots[slot(of: $0)] != Self.none }
  }

  /// The tick at which the wheel next comes to the slot of a value that is added for a tick.
  package func visit(of due: Int) -> Int { tick + 1 + slot(of: max(due, tick + 1) - tick - 1) }

  /// Adds a value that is due at a tick, or at the next one if it has passed.
  package mutating func add(_ value: Value, at due: Int) -> Place {
    let due = max(due, tick + 1)
    numbers += 1
    count += 1
    let index = freeIndex()
    let first = slots[slot(of: due)]
    entries[index] = Entry(value: value, tick: due, number: numbers, next: first)
    if first != Self.none { entries[first].previous = index }
    slots[slot(of: due)] = index
    return Place(index: index, number: numbers)
  }

  private mutating func freeIndex() -> Int {
    guard firstFree != Self.none else {
      entries.append(Entry())
      return entries.count - 1
    }
    defer { firstFree = entries[firstFree].next }
    return firstFree
  }

  /// Removes a value; returns nil if it was taken before.
  @discardableResult
  package mutating func remove(_ place: Place) -> Value? {
    entries[place.index].number == place.number ? take(place.index) : nil
  }

  private mutating func take(_ index: Int) -> Value? {
    let entry = entries[index]
    if entry.previous == Self.none {
      slots[slot(of: entry.tick)] = entry.next
    } else {
      entries[entry.previous].next = entry.next
    }
    if entry.next != Self.none { entries[entry.next].previous = entry.previous }
    entries[index] = Entry(next: firstFree)
    firstFree = index
    count -= 1
    return entry.value
  }

  /// Passes all ticks up to one, of which the caller knows that no value is due at them.
  package mutating func skip(to end: Int) { tick = max(tick, end) }

  /// Passes all ticks up to one; removes and returns the values that are due, the earliest first.
  package mutating func advance(to end: Int) -> [Value] {
    guard end > tick else { return [] }
    var due: [(tick: Int, number: Int, value: Value)] = []
    for tick in tick + 1...tick + min(end - tick, slots.count) {
      var index = slots[slot(of: tick)]
      while index != Self.none {
        let entry = entries[index]
        if entry.tick <= end, let value = take(index) {
          due.append((entry.tick, entry.number, value))
        }
        index = entry.next
      }
    }
    tick = end
    due.sort { ($0.tick, $0.number) < ($1.tick, $1.number) }
    return due.map(\.value)
  }
}
