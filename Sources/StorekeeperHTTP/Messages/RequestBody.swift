internal import JSONValues
internal import ReceiptModels

/// The members of the JSON object in a request's body; unknown ones are ignored.
///
/// The failure is always ``RequestRefusal/malformedBody``. Source: linking rules, section 6.1.
typealias RequestBody = JSONMembers<RequestRefusal>

extension RequestRefusal: MemberFailure {
  init(_ fault: MemberFault) { self = .malformedBody }
}

/// The members of a request about entitlements or an order; unknown ones are ignored.
///
/// Source: entitlement rules, sections 10 and 14.
typealias RequestFields = JSONMembers<FieldRefusal>

extension FieldRefusal: MemberFailure {
  init(_ fault: MemberFault) {
    self =
      fault.name.isEmpty
      ? .malformedBody : fault.isMissing ? .missing(fault.name) : .invalid(fault.name)
  }
}

extension RequestFields {
  /// Returns a user ID, or nil if it is missing.
  func optionalUserID(_ name: String) throws(FieldRefusal) -> AccountID? {
    guard let text = try nonEmptyText(name) else { return nil }
    guard let user = try? AccountID(opaque: text) else { throw .invalid(name) }
    return user
  }

  /// Returns a list of texts, which is empty if it is missing.
  func texts(_ name: String, limit: Int) throws(FieldRefusal) -> [String] {
    guard (try elements(name) ?? []).count <= limit else { throw .tooMany(name) }
    return try texts(name)
  }
}
