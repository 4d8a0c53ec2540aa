/// A URL with the address of a database.
package enum DatabaseURL {
  /// Returns whether a text is a URL with an `@` that does not end the user and the password.
  ///
  /// Otherwise a part of a password that is not percent-encoded would be taken for a host, a port, a database or an
  /// option, and messages would show it.
  package static func scattersPassword(_ text: String) -> Bool {
    guard let scheme = text.firstRange(of: "://") else { return false }
    let rest = text[scheme.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    return rest.count { $0 == "@" } > 1
      || rest.contains("@") && !authority.contains("@")
  }
}
