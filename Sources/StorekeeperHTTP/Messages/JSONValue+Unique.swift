internal import JSONValues

extension JSONValue {
  /// Returns the members of a JSON object, or nil for any other text and if two have the same name.
  ///
  /// Source: RFC 7515 section 4, RFC 7519 section 4.
  static func uniqueMembers(of bytes: [UInt8]) -> [String: JSONValue]? {
    guard case .object(let members)? = try? JSONValue(parsing: bytes),
      memberCount(of: bytes) == members.count
    else { return nil }
    return members
  }

  /// Returns the number of members in the outermost object, repeated ones included.
  ///
  /// The text must be valid JSON.
  private static func memberCount(of bytes: [UInt8]) -> Int {
    var (count, depth, isInString, isEscaped) = (0, 0, false, false)
    for byte in bytes {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ":") where depth == 1: count += 1
      default: break
      }
    }
    return count
  }
}
