internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels

/// What is counted of a purchase, as it is stored: the places that figures are told apart by, and the numbers at each.
enum CountedMoney {
  /// The form; a later one is another number.
  private static let form = 1

  private struct Place: Hashable, Comparable {
    let parts: [String]

    init(_ figure: MoneyFigure) {
      parts = [
        figure.measure.rawValue, figure.productID, figure.country, figure.currency,
        figure.cohort?.description ?? "",
      ]
    }

    static func < (one: Place, other: Place) -> Bool {
      one.parts.lexicographicallyPrecedes(other.parts)
    }
  }

  static func text(_ counts: MoneyCounts) -> String {
    let places = Set(counts.numbers.keys.map(Place.init)).sorted()
    let index = Dictionary(uniqueKeysWithValues: zip(places, places.indices))
    let numbers = counts.numbers.map { figure, number in
      [index[Place(figure)] ?? 0, figure.day.number, number]
    }.sorted { $0.lexicographicallyPrecedes($1) }
    let json = JSONValue.object([
      "form": .integer(form),
      "places": .array(places.map { .array($0.parts.map { .string($0) }) }),
      "numbers": .array(numbers.map { .array($0.map { .integer($0) }) }),
    ])
    return String(decoding: json.serialized, as: UTF8.self)
  }

  /// Reads what is counted of a purchase.
  ///
  /// - Throws: ``MoneyFailure/countedUnreadable(_:)``.
  static func counts(
    _ text: String, in environment: AppStoreEnvironment, of vendor: Vendor, _ source: MoneySource
  ) throws(MoneyFailure) -> MoneyCounts {
    guard let json = try? JSONValue(parsing: Array(text.utf8)), json["form"] == .integer(form),
      case .array(let places)? = json["places"], case .array(let numbers)? = json["numbers"]
    else { throw .countedUnreadable(source.key) }
    let parts = places.map(\.texts)
    var counts = MoneyCounts()
    for entry in numbers {
      let entry = entry.integers
      guard entry.count == 3, parts.indices.contains(entry[0]), parts[entry[0]].count == 5 else {
        throw .countedUnreadable(source.key)
      }
      let place = parts[entry[0]]
      var figure = MoneyFigure(
        MoneyFigure.Measure(rawValue: place[0]), on: CalendarDay(number: entry[1]),
        environment: environment, vendor: vendor, productID: place[1], country: place[2])
      figure.currency = place[3]
      figure.cohort = CalendarMonth(place[4])
      counts.add(entry[2], to: figure)
    }
    return counts
  }
}

extension JSONValue {
  fileprivate var texts: [String] {
    guard case .array(let values) = self else { return [] }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  fileprivate var integers: [Int] {
    guard case .array(let values) = self else { return [] }
    return values.compactMap { if case .integer(let number) = $0 { number } else { nil } }
  }
}

/// The reason why figures cannot be kept.
@nonexhaustive
public enum MoneyFailure: Error, Hashable, Sendable {
  /// What was counted of a purchase was written in a form that this version does not know; the value is the key of its
  /// source.
  case countedUnreadable(String)
}
