public import JSONValues

/// What the server answers to a ``RealtimeRequest``: one way to keep the subscriber.
///
/// Source: Apple, `RealtimeResponseBody`.
public struct RealtimeResponse: JSONModel {
  /// The one member that a response holds.
  @nonexhaustive
  public enum Answer: Hashable, Sendable {
    /// Show a message.
    case message(RealtimeMessage)
    /// Show a message and offer another product.
    case alternateProduct(RealtimeAlternateProduct)
    /// Show a message and make a promotional offer.
    case promotionalOffer(RealtimePromotionalOffer)
    /// Show a message and offer what the Advanced Commerce API says.
    case advancedCommerceInfo(RealtimeAdvancedCommerceInfo)
  }

  /// What to do.
  public var answer: Answer
  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// A response with one answer.
  public init(_ answer: Answer) {
    self.answer = answer
  }

  /// Reads the value.
  ///
  /// - Throws: ``/JSONValues/FieldTypeFailure`` when a member has the wrong JSON type, when there is
  ///   none of the known ones (at the empty path), or when there are two (at the path of the
  ///   second).
  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try RealtimeResponseMembers(json: json)
    answer = try members.answer()
    additionalMembers = members.additionalMembers
  }

  /// The JSON form.
  public var json: JSONValue {
    var members = RealtimeResponseMembers()
    switch answer {
    case .message(let value): members.message = value
    case .alternateProduct(let value): members.alternateProduct = value
    case .promotionalOffer(let value): members.promotionalOffer = value
    case .advancedCommerceInfo(let value): members.advancedCommerceInfo = value
    }
    members.additionalMembers = additionalMembers
    return members.json
  }
}

/// The members as Apple documents them, each optional.
private struct RealtimeResponseMembers: FieldModel {
  var message: RealtimeMessage?
  var alternateProduct: RealtimeAlternateProduct?
  var promotionalOffer: RealtimePromotionalOffer?
  var advancedCommerceInfo: RealtimeAdvancedCommerceInfo?
  var additionalMembers: [String: JSONValue] = [:]

  mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("message", &message)
    try coder("alternateProduct", &alternateProduct)
    try coder("promotionalOffer", &promotionalOffer)
    try coder("advancedCommerceInfo", &advancedCommerceInfo)
  }

  func answer() throws(FieldTypeFailure) -> RealtimeResponse.Answer {
    let present: [(path: String, answer: RealtimeResponse.Answer)] = [
      message.map { ("message", .message($0)) },
      alternateProduct.map { ("alternateProduct", .alternateProduct($0)) },
      promotionalOffer.map { ("promotionalOffer", .promotionalOffer($0)) },
      advancedCommerceInfo.map { ("advancedCommerceInfo", .advancedCommerceInfo($0)) },
    ].compactMap(\.self)
    guard let first = present.first else {
      throw FieldTypeFailure(expected: .object, found: .absent)
    }
    guard present.count == 1 else {
      throw FieldTypeFailure(path: present[1].path, expected: .absent, found: .object)
    }
    return first.answer
  }
}
