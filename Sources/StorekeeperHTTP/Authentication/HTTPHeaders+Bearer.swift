internal import HTTPMessages

extension HTTPHeaders {
  /// The bearer token in the `Authorization` header field, or nil if there is none, if the field
  /// appears more than once or if the token is malformed.
  ///
  /// Source: RFC 6750 section 2.1; linking rules, section 6.1.
  var bearerToken: String? {
    let values = values(for: .authorization)
    guard values.count == 1, let value = values.first, value.utf8.count <= 4096 + 7 else {
      return nil
    }
    let parts = value.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: true)
    guard parts.count == 2, Substring(parts[0]).lowercased() == "bearer",
      parts[1].allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    return String(Substring(parts[1]))
  }
}
