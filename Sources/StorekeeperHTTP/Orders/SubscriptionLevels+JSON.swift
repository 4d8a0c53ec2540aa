internal import JSONValues
public import OrderPolicy

extension SubscriptionLevels {
  /// The maximum number of bytes of a file.
  public static let maximumByteCount = 1 << 20

  /// Reads levels from a JSON array of objects, in UTF-8 without byte-order mark.
  ///
  /// Each has `name`, `description`, `portfolioLimit` and `fee`; `appleProductId` and `googleProductId` may be absent
  /// or null. The fee is read digit by digit, so that 9.99 is exactly that. Source: entitlement rules, section 12.
  ///
  /// - Throws: ``/OrderPolicy/SubscriptionLevelFailure`` for the first fault.
  public init(json: [UInt8]) throws(SubscriptionLevelFailure) {
    guard json.count <= Self.maximumByteCount else {
      throw SubscriptionLevelFailure(.tooLarge(limit: Self.maximumByteCount))
    }
    let text: JSONText
    do throws(JSONValue.SyntaxFailure) {
      text = try JSONText(checking: json)
    } catch {
      throw SubscriptionLevelFailure(.notJSON(offset: error.offset))
    }
    guard text.kind(at: text.root) == .array else { throw SubscriptionLevelFailure(.notAnArray) }
    var levels: [SubscriptionLevel] = []
    for (index, place) in text.elements(at: text.root).enumerated() {
      guard index < Self.maximumCount else { throw SubscriptionLevelFailure(.tooMany) }
      levels.append(try LevelReader(text, index: index, at: place).level())
    }
    do throws(SubscriptionLevelFailure) {
      try self.init(levels)
    } catch {
      throw SubscriptionLevelFailure(
        error.reason, index: error.index, key: error.key.map { LevelKey.names[$0] ?? $0 })
    }
  }
}

/// A key of a level in a file.
private enum LevelKey: String {
  case name
  case description
  case quota = "portfolioLimit"
  case fee
  case appleProductID = "appleProductId"
  case googleProductID = "googleProductId"

  /// The keys of the properties that have another name.
  static let names = [
    "quota": quota.rawValue, "appleProductID": appleProductID.rawValue,
    "googleProductID": googleProductID.rawValue,
  ]
}

/// Reads one level of a file.
private struct LevelReader {
  private let text: JSONText
  private let index: Int
  private var places: [LevelKey: JSONText.Place] = [:]

  init(
    _ text: JSONText, index: Int, at place: JSONText.Place
  ) throws(SubscriptionLevelFailure) {
    self.text = text
    self.index = index
    guard text.kind(at: place) == .object else {
      throw SubscriptionLevelFailure(.notAnObject, index: index)
    }
    for member in text.members(at: place) {
      let name = text.string(at: member.name, limit: 64) ?? ""
      guard let key = LevelKey(rawValue: name) else {
        throw SubscriptionLevelFailure(.unknownKey, index: index, key: name)
      }
      guard places.updateValue(member.value, forKey: key) == nil else {
        throw SubscriptionLevelFailure(.repeated, index: index, key: key.rawValue)
      }
    }
  }

  func level() throws(SubscriptionLevelFailure) -> SubscriptionLevel {
    SubscriptionLevel(
      name: try string(.name), description: try string(.description),
      quota: try integer(.quota), fee: try fee(),
      appleProductID: try stringOrNull(.appleProductID),
      googleProductID: try stringOrNull(.googleProductID))
  }

  private func place(_ key: LevelKey) throws(SubscriptionLevelFailure) -> JSONText.Place {
    guard let place = places[key], text.kind(at: place) != .null else {
      throw SubscriptionLevelFailure(.missing, index: index, key: key.rawValue)
    }
    return place
  }

  private func string(_ key: LevelKey) throws(SubscriptionLevelFailure) -> String {
    guard
      let string = text.string(
        at: try place(key), limit: SubscriptionLevels.maximumDescriptionLength)
    else { throw SubscriptionLevelFailure(.wrongType, index: index, key: key.rawValue) }
    return string
  }

  private func stringOrNull(_ key: LevelKey) throws(SubscriptionLevelFailure) -> String? {
    guard let place = places[key], text.kind(at: place) != .null else { return nil }
    return try string(key)
  }

  private func integer(_ key: LevelKey) throws(SubscriptionLevelFailure) -> Int {
    guard let number = text.integer(at: try place(key)) else {
      throw SubscriptionLevelFailure(.wrongType, index: index, key: key.rawValue)
    }
    return number
  }

  private func fee() throws(SubscriptionLevelFailure) -> MonthlyFee {
    guard let number = text.number(at: try place(.fee)) else {
      throw SubscriptionLevelFailure(.wrongType, index: index, key: LevelKey.fee.rawValue)
    }
    guard let fee = MonthlyFee(number) else {
      throw SubscriptionLevelFailure(.outOfRange, index: index, key: LevelKey.fee.rawValue)
    }
    return fee
  }
}
