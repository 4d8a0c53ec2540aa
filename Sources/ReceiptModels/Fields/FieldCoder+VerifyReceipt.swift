import JSONValues

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

// The fields of verifyReceipt. An unreadable scalar leaves the field nil and stays among the
// additional members, so that one odd value does not invalidate the answer. A container of the
// wrong kind is an error. Source: App Store rules, section 5.4.

extension FieldCoder {
  /// Reads or writes a scalar that is read from any JSON type and written as a string.
  package mutating func scalar<Value: LenientScalar>(_ name: String, _ value: inout Value?) {
    switch direction {
    case .writing: if let value { members[name] = .string(value.scalarText) }
    case .reading: value = lenient(name)
    }
  }

  /// Reads or writes an integer that is read from any JSON type and written as a number.
  package mutating func number(_ name: String, _ value: inout Int?) {
    switch direction {
    case .writing: if let value { members[name] = .integer(value) }
    case .reading: value = lenient(name)
    }
  }

  /// Reads or writes a Boolean that is read from any JSON type and written as `"true"` or
  /// `"false"`.
  package mutating func flag(_ name: String, _ value: inout Bool?) {
    switch direction {
    case .writing: if let value { members[name] = .string(value ? "true" : "false") }
    case .reading: value = lenient(name)
    }
  }

  /// Reads or writes a Boolean that is read from any JSON type and written as `"1"` or `"0"`.
  package mutating func digit(_ name: String, _ value: inout Bool?) {
    switch direction {
    case .writing: if let value { members[name] = .string(value ? "1" : "0") }
    case .reading: value = lenient(name)
    }
  }

  /// Reads or writes a date that has one member in milliseconds and another as text.
  ///
  /// Both members say the same, so either one suffices for reading, and milliseconds take
  /// precedence. An unreadable member is kept and written again beside the readable one. If both
  /// are unreadable, a date that is set later replaces both.
  package mutating func date(milliseconds: String, text: String, _ value: inout Date?) {
    switch direction {
    case .writing:
      guard let value else { return }
      let moment = Moment(value)
      let isReplaced = members[milliseconds] != nil && members[text] != nil
      if isReplaced || members[milliseconds] == nil {
        members[milliseconds] = .string(String(moment.milliseconds))
      }
      if isReplaced || members[text] == nil {
        members[text] = .string(moment.text(as: .verifyReceipt))
      }
    case .reading:
      let exact = lenient(
        milliseconds, read: { Moment(milliseconds: $0) },
        inText: { Moment(milliseconds: $0, at: $1) })
      let written = lenient(
        text, read: { Moment($0, as: .verifyReceipt) },
        inText: { Moment($0, at: $1, as: .verifyReceipt) })
      value = (exact ?? written)?.date
    }
  }
}

// Fields of verifyReceipt's answers. Source: App Store rules, section 5.4.

extension FieldCoder {
  /// Reads or writes the status, which is required and a number or its text.
  mutating func status(_ status: inout VerifyReceiptStatus) throws(FieldTypeFailure) {
    switch direction {
    case .writing:
      members["status"] = status.json
    case .reading:
      let value = lenient(
        "status", read: { VerifyReceiptStatus(lenient: $0) },
        inText: { VerifyReceiptStatus(lenient: $0.value(at: $1)) })
      guard let value else {
        let found = self["status"].map(\.kind) ?? .absent
        throw FieldTypeFailure(
          path: "status", expected: .integer, found: found == .null ? .absent : found)
      }
      status = value
    }
  }

  /// The style of the member `receipt` being read: iOS 6 if it has `bid`, else iOS 7.
  var styleOfReceipt: ReceiptStyle? {
    guard direction == .reading, kind(of: "receipt") != nil else { return nil }
    return switch kind(of: "bid", inside: "receipt") {
    case nil, .null?: .iOS7
    default: .iOS6
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
    if isMilliseconds("expires_date_ms") { return .iOS7 }
    if isMilliseconds("expires_date") { return .iOS6 }
    if isText("expires_date") { return .iOS7 }
    if isText("expires_date_formatted") { return .iOS6 }
    switch kind(of: "bid") {
    case nil, .null?: return .iOS7
    default: return .iOS6
    }
  }

  /// Whether a member that no field has read yet is a moment in milliseconds.
  private func isMilliseconds(_ name: String) -> Bool {
    guard isOfText else { return members[name].flatMap { Moment(milliseconds: $0) } != nil }
    return object.first(name).flatMap { Moment(milliseconds: object.text, at: $0.value) } != nil
  }

  /// Whether a member that no field has read yet is a moment as text.
  private func isText(_ name: String) -> Bool {
    guard isOfText else {
      return members[name].flatMap { Moment($0, as: .verifyReceipt) } != nil
    }
    return object.first(name).flatMap { Moment(object.text, at: $0.value, as: .verifyReceipt) }
      != nil
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
      guard kind(of: name) == .object else { return try self(name, &value) }
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
    case .reading: value = lenient(name)
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
        value = lenient(spelling)
        if value != nil { name = spelling }
      }
    }
  }
}
