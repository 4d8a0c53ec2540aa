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
    case .reading: value = lenient(name) { json in Value(lenient: json) }
    }
  }

  /// Reads or writes an integer that is read from any JSON type and written as a number.
  package mutating func number(_ name: String, _ value: inout Int?) {
    switch direction {
    case .writing: if let value { members[name] = .integer(value) }
    case .reading: value = lenient(name) { json in Int(lenient: json) }
    }
  }

  /// Reads or writes a Boolean that is read from any JSON type and written as `"true"` or
  /// `"false"`.
  package mutating func flag(_ name: String, _ value: inout Bool?) {
    switch direction {
    case .writing: if let value { members[name] = .string(value ? "true" : "false") }
    case .reading: value = lenient(name) { json in Bool(lenient: json) }
    }
  }

  /// Reads or writes a Boolean that is read from any JSON type and written as `"1"` or `"0"`.
  package mutating func digit(_ name: String, _ value: inout Bool?) {
    switch direction {
    case .writing: if let value { members[name] = .string(value ? "1" : "0") }
    case .reading: value = lenient(name) { json in Bool(lenient: json) }
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
      let first = members.index(forKey: milliseconds)
      let second = members.index(forKey: text)
      let exact = first.flatMap { Moment(milliseconds: members.values[$0]) }
      let written = second.flatMap { Moment(members.values[$0], as: .verifyReceipt) }
      if let first, exact != nil { members.values[first] = .null }
      if let second, written != nil { members.values[second] = .null }
      value = (exact ?? written)?.date
    }
  }
}
