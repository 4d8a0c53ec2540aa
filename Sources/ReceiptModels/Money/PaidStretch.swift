/// A time without a gap in which a subscription gives one product, in one country and currency.
///
/// A gap within a day is none: figures know days.
struct PaidStretch {
  /// A part of the time, which one charge pays for.
  struct Part {
    /// The place of the charge.
    let charge: Int
    let start: Int
    var end: Int
  }

  let place: PaidCharge.Place
  let start: Int
  private(set) var end: Int
  /// The parts, which follow each other; a charge that adds no day has an empty one.
  private(set) var parts: [Part]
  /// The part that reaches the end.
  private var last = 0

  private init(_ charge: PaidCharge, _ number: Int) {
    place = charge.place
    start = charge.start
    end = charge.end
    parts = [Part(charge: number, start: charge.start, end: charge.end)]
  }

  private mutating func add(_ charge: PaidCharge, _ number: Int) {
    guard end <= charge.end else {
      return parts.append(Part(charge: number, start: charge.start, end: charge.start))
    }
    parts[last].end = charge.start
    last = parts.count
    parts.append(Part(charge: number, start: charge.start, end: charge.end))
    end = charge.end
  }

  /// Ends the time where one of another country or currency takes its place.
  private mutating func cut(at day: Int) {
    end = day
    for index in parts.indices {
      parts[index].end = min(parts[index].end, max(day, parts[index].start))
    }
  }

  /// Returns the times in the order of their beginnings; the charges are in that order too.
  ///
  /// Of one product there is one time at once, whichever country a charge is from.
  static func all(of charges: [PaidCharge]) -> [PaidStretch] {
    var stretches: [PaidStretch] = []
    for (number, charge) in charges.enumerated() {
      let open = stretches.lastIndex { $0.place.productID == charge.place.productID }
      guard let open, charge.start <= stretches[open].end else {
        stretches.append(PaidStretch(charge, number))
        continue
      }
      let isWithin = charge.start < stretches[open].end && charge.end < stretches[open].end
      if isWithin || stretches[open].place == charge.place {
        stretches[open].add(charge, number)
      } else {
        stretches[open].cut(at: charge.start)
        stretches.append(PaidStretch(charge, number))
      }
    }
    return stretches
  }
}
