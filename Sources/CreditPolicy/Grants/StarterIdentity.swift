public import ReceiptModels

/// The identity of a buyer of starter packs, each of whom gets one.
///
/// Source: credit rules, section 7.
public enum StarterIdentity {
  /// Returns the identity of a user: the e-mail address without white space around it, in lower case,
  /// or `user:` with the user's identifier if there is no address.
  ///
  /// Dots and `+` in an address are not touched.
  ///
  /// - Parameters:
  ///   - email: The user's e-mail address, if the host knows it.
  ///   - userID: The user.
  /// - Returns: The identity.
  public static func identity(email: String?, userID: AccountID) -> String {
    let text = (email ?? "").trimmed.lowercased()
    return text.isEmpty ? "user:\(userID.rawValue)" : text
  }
}
