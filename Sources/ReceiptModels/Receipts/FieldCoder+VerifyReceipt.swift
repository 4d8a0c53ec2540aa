import JSONValues

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Fields of verifyReceipt's answers. Source: App Store rules, section 5.4.

extension FieldCoder {
  /// Reads or writes the status, which is required and a number or its text.
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

  /// The style of the member `receipt` being read: iOS 6 if it has `bid`, else iOS 7.
  var styleOfReceipt: ReceiptStyle? {
    guard direction == .reading, let receipt = members["receipt"] else { return nil }
    switch receipt["bid"] {
    case nil, .null?: return .iOS7
    default: return .iOS6
    }
  }

  /// Reads or writes the expiry.
  ///
  /// In the style of iOS 6, `expires_date` is in milliseconds and the text is in
  /// `expires_date_formatted`.
  mutating func expiry(_ date: inout Date?, _ style: inout ReceiptStyle) {
    if direction == .reading { style = styleOfExpiry }
    switch style {
    case .iOS6: self.date(milliseconds: "expires_date", text: "expires_date_formatted", &date)
    case .iOS7: self.date(milliseconds: "expires_date_ms", text: "expires_date", &date)
    }
  }

  /// The style in which the expiry can be read, or without one the style that `bid` implies.
  private var styleOfExpiry: ReceiptStyle {
    if let date = members["expires_date_ms"], Moment(milliseconds: date) != nil {
      return .iOS7
    }
    if let date = members["expires_date"] {
      if Moment(milliseconds: date) != nil { return .iOS6 }
      if Moment(date, as: .verifyReceipt) != nil { return .iOS7 }
    }
    if let date = members["expires_date_formatted"], Moment(date, as: .verifyReceipt) != nil {
      return .iOS6
    }
    switch members["bid"] {
    case nil, .null?: return .iOS7
    default: return .iOS6
    }
  }

  /// Reads or writes a list, for which Apple may send a single element without brackets.
  ///
  /// A list is written in the form in which it was read.
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

  /// Reads or writes a vocabulary value that is read from any JSON type and written as a number.
  mutating func integer<Value: IntegerVocabulary & LenientScalar>(
    _ name: String, _ value: inout Value?
  ) {
    switch direction {
    case .writing: if let value { members[name] = .integer(value.rawValue) }
    case .reading: value = lenient(name) { json in Value(lenient: json) }
    }
  }

  /// Reads or writes a flag that is documented as `is-retryable` and sent as `is_retryable`.
  ///
  /// The flag is written under the name under which it was read.
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
