import JSONValues

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// What only the answers of verifyReceipt need (contract, section 5.4).

extension FieldCoder {
  /// The one required member, a number or its text.
  mutating func status(_ status: inout VerifyReceiptStatus) throws(FieldTypeFailure) {
    switch direction {
    case .writing:
      members["status"] = status.json
    case .reading:
      guard let value = lenient("status", VerifyReceiptStatus.init(lenient:)) else {
        let found = members["status"].map(\.kind) ?? .absent
        throw FieldTypeFailure(
          path: "status", expected: .integer, found: found == .null ? .absent : found)
      }
      status = value
    }
  }

  /// The style of the member `receipt` that is being read: `bid` is of iOS 6, `bundle_id` and
  /// `in_app` are of iOS 7, and so is what has none of them.
  var styleOfReceipt: ReceiptStyle? {
    guard direction == .reading, let receipt = members["receipt"] else { return nil }
    switch receipt["bid"] {
    case nil, .null?: return .iOS7
    default: return .iOS6
    }
  }

  /// The expiry: in the style of iOS 6 `expires_date` is milliseconds itself, and the text is in
  /// `expires_date_formatted`.
  mutating func expiry(_ date: inout Date?, _ style: inout ReceiptStyle) {
    if direction == .reading { style = styleOfExpiry }
    switch style {
    case .iOS6: self.date(milliseconds: "expires_date", text: "expires_date_formatted", &date)
    case .iOS7: self.date(milliseconds: "expires_date_ms", text: "expires_date", &date)
    }
  }

  /// The style in which the expiry can be read; where there is none, `bid` tells.
  private var styleOfExpiry: ReceiptStyle {
    if let date = members["expires_date_ms"], ReceiptMoment(milliseconds: date) != nil {
      return .iOS7
    }
    if let date = members["expires_date"] {
      if ReceiptMoment(milliseconds: date) != nil { return .iOS6 }
      if ReceiptMoment(text: date) != nil { return .iOS7 }
    }
    if let date = members["expires_date_formatted"], ReceiptMoment(text: date) != nil {
      return .iOS6
    }
    switch members["bid"] {
    case nil, .null?: return .iOS7
    default: return .iOS6
    }
  }

  /// A list, for which Apple may send the only element without brackets; it is written as it came.
  mutating func list<Element: FieldValue>(
    _ name: String, _ value: inout [Element]?, _ isObject: inout Bool
  ) throws(FieldTypeFailure) {
    switch direction {
    case .writing:
      guard let value else { return }
      members[name] = isObject && value.count == 1 ? value.first?.json : value.json
    case .reading:
      guard case .object? = members[name] else { return try self(name, &value) }
      isObject = true
      var element: Element?
      try self(name, &element)
      value = element.map { [$0] }
    }
  }

  /// An integer of any JSON type that its vocabulary reads, written as a number.
  mutating func integer<Value: IntegerVocabulary & LenientScalar>(
    _ name: String, _ value: inout Value?
  ) {
    switch direction {
    case .writing: if let value { members[name] = .integer(value.rawValue) }
    case .reading: value = lenient(name) { json in Value(lenient: json) }
    }
  }

  /// A flag that is documented as `is-retryable` and sent as `is_retryable`; it is written under
  /// the name it came with.
  mutating func retryable(_ value: inout Bool?, _ name: inout String) {
    switch direction {
    case .writing:
      if let value { members[name] = .boolean(value) }
    case .reading:
      for spelling in ["is-retryable", "is_retryable"] where value == nil {
        value = lenient(spelling) { json in Bool(lenient: json) }
        if value != nil { name = spelling }
      }
    }
  }
}
