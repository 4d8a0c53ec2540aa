/// The address of a server.
enum ServiceAddress {
  /// Returns whether a text is an absolute URL with `https`, without white space and fragment.
  static func isURL(_ text: String, allowsHTTP: Bool) -> Bool {
    let isAddress =
      text.utf8.starts(with: "https://".utf8) && text.utf8.count > 8
      || allowsHTTP && text.utf8.starts(with: "http://".utf8) && text.utf8.count > 7
    return isAddress
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
  }

  /// Returns whether a text is such a URL to which a path can be appended.
  static func isBaseURL(_ text: String, allowsHTTP: Bool) -> Bool {
    isURL(text, allowsHTTP: allowsHTTP) && !text.utf8.contains(UInt8(ascii: "?"))
      && text.utf8.last != UInt8(ascii: "/")
  }
}
