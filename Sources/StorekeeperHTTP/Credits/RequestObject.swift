internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The JSON object in the body of a request about credits, whose members are read one after the other.
///
/// Unknown members are ignored, the first of two with the same name counts, and nothing is trimmed. The caller reads
/// the members in the order of the contract, so that the first fault is the one reported. Source: credit rules,
/// sections 1 and 2.
typealias RequestObject = JSONMembers<Problem>

extension Problem: MemberFailure {
  static var limits: JSONLimits { .knownMembers }

  init(_ fault: MemberFault) {
    let field = fault.name.isEmpty ? "body" : fault.name
    self =
      if case .notJSON? = fault.detail {
        RequestObject.fault(.notJSON, field)
      } else {
        RequestObject.fault(fault.isMissing ? .missing : .wrongType, field)
      }
  }
}

extension RequestObject {
  /// Returns a text that is neither missing nor empty, of at most `limit` Unicode scalars.
  func text(_ name: String, limit: Int) throws(Problem) -> String {
    guard let text = try optionalText(name) else { throw Self.fault(.missing, name) }
    guard text.unicodeScalars.count <= limit else { throw Self.fault(.tooLong(max: limit), name) }
    return text
  }

  /// Returns a text that a store can hold: not empty, without control characters, and with at most `limit` Unicode
  /// scalars and bytes of UTF-8.
  ///
  /// Of a text with too many bytes but not too many scalars the ``Problem`` says that it is too large.
  func storableText(_ name: String, limit: Int) throws(Problem) -> String {
    let text = try text(name, limit: limit)
    guard text.utf8.count <= limit else { throw Self.fault(.tooLarge, name) }
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw Self.fault(.invalid, name)
    }
    return text
  }

  /// Returns a UUID, or nil if the member is missing or null.
  func optionalUUID(_ name: String) throws(Problem) -> UUID? {
    guard let text = try optionalText(name) else { return nil }
    guard Self.hasFormOfUUID(text), let uuid = UUID(uuidString: text) else {
      throw Self.fault(.notAUUID, name)
    }
    return uuid
  }

  /// Returns an account identifier, without white space around it.
  func accountID(_ name: String) throws(Problem) -> AccountID {
    let text = try storableText(name, limit: AccountID.maximumLength)
    guard let id = try? AccountID(text), id.rawValue.isSameText(as: text) else {
      throw Self.fault(.invalid, name)
    }
    return id
  }

  /// Returns a whole number of 64 bits.
  func requiredInteger(_ name: String) throws(Problem) -> Int {
    if case .number(let number)? = self[name], number.magnitude >= 0x1p63 {
      throw Self.fault(.outOfRange, name)
    }
    return try required(name, .integer, integer(name))
  }

  private func optionalText(_ name: String) throws(Problem) -> String? {
    let text = try text(name)
    guard text?.utf8.isEmpty != true else { throw Self.fault(.empty, name) }
    return text
  }

  /// Whether a text has the form of RFC 9562 section 4, in letters of either case.
  private static func hasFormOfUUID(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.map(\.count) == [8, 4, 4, 4, 12]
      && parts.joined().allSatisfy { $0.hexDigit != nil }
  }

  static func fault(_ fault: FieldFault, _ field: String) -> Problem {
    var parameters: [OrderedJSON.Member] = [.init("field", field), .init("reason", fault.reason)]
    if case .tooLong(let max) = fault { parameters.append(.init("max", max)) }
    return Problem(.requestValidationFailed, detail: fault.detail(of: field), parameters)
  }
}

/// A fault of a field in a request, or of its whole body.
///
/// Source: credit rules, section 2. The last three belong to routes that the contract does not have.
enum FieldFault: Hashable, Sendable {
  case notJSON
  /// There are more bytes than allowed.
  case tooLarge
  case missing
  case wrongType
  case empty
  case tooLong(max: Int)
  case notAUUID
  case outOfRange
  case invalid
  /// The text is kept for bookings about purchases.
  case reserved

  var reason: String {
    switch self {
    case .notJSON: "not_json"
    case .tooLarge: "too_large"
    case .missing: "missing"
    case .wrongType: "wrong_type"
    case .empty: "empty"
    case .tooLong: "too_long"
    case .notAUUID: "not_a_uuid"
    case .outOfRange: "out_of_range"
    case .invalid: "invalid"
    case .reserved: "reserved"
    }
  }

  /// The text for people.
  func detail(of field: String) -> String {
    let subject = field == "body" ? "The body" : field
    return switch self {
    case .notJSON: "\(subject) is not JSON."
    case .tooLarge: "\(subject) is too large."
    case .missing: "\(subject) is missing."
    case .wrongType: "\(subject) has the wrong type."
    case .empty: "\(subject) is empty."
    case .tooLong(let max): "\(subject) is longer than \(max) characters."
    case .notAUUID: "\(subject) is not a UUID."
    case .outOfRange: "\(subject) is out of range."
    case .invalid: "\(subject) has a character that is not allowed."
    case .reserved: "\(subject) is reserved for purchases."
    }
  }
}
