package import JSONValues

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

// The fields of verifyReceipt. A scalar that cannot be read leaves the field nil and stays among the
// additional members, so that one odd value never costs the whole answer; a container of the wrong
// kind is refused (contract, section 5.4).

extension FieldCoder {
  /// A scalar of any JSON type, written as a string.
  package mutating func scalar<Value: LenientScalar>(_ name: String, _ value: inout Value?) {
    switch direction {
    case .writing: if let value { members[name] = .string(value.scalarText) }
    case .reading: value = lenient(name) { json in Value(lenient: json) }
    }
  }

  /// An integer of any JSON type, written as a number.
  package mutating func number(_ name: String, _ value: inout Int?) {
    switch direction {
    case .writing: if let value { members[name] = .integer(value) }
    case .reading: value = lenient(name) { json in Int(lenient: json) }
    }
  }

  /// A Boolean of any JSON type, written as `"true"` or `"false"`.
  package mutating func flag(_ name: String, _ value: inout Bool?) {
    switch direction {
    case .writing: if let value { members[name] = .string(value ? "true" : "false") }
    case .reading: value = lenient(name) { json in Bool(lenient: json) }
    }
  }

  /// A Boolean of any JSON type, written as `"1"` or `"0"`.
  package mutating func digit(_ name: String, _ value: inout Bool?) {
    switch direction {
    case .writing: if let value { members[name] = .string(value ? "1" : "0") }
    case .reading: value = lenient(name) { json in Bool(lenient: json) }
    }
  }

  /// A moment in milliseconds under one name, or else as text under another; written as both.
  ///
  /// What can be read is taken, since both say the same; what cannot is kept, and written again
  /// beside the other. Where neither could be read, a date that was set since replaces both.
  package mutating func date(milliseconds: String, text: String, _ value: inout Date?) {
    switch direction {
    case .writing:
      guard let value else { return }
      let moment = ReceiptMoment(value)
      let isReplaced = members[milliseconds] != nil && members[text] != nil
      if isReplaced || members[milliseconds] == nil {
        members[milliseconds] = .string(String(moment.milliseconds))
      }
      if isReplaced || members[text] == nil { members[text] = .string(moment.text) }
    case .reading:
      let first = members.index(forKey: milliseconds)
      let second = members.index(forKey: text)
      let exact = first.flatMap { ReceiptMoment(milliseconds: members.values[$0]) }
      let written = second.flatMap { ReceiptMoment(text: members.values[$0]) }
      if let first, exact != nil { members.values[first] = .null }
      if let second, written != nil { members.values[second] = .null }
      value = (exact ?? written)?.date
    }
  }
}
