internal import EntitlementPolicy
internal import JSONValues

/// An address from which content may be fetched.
///
/// The text has only characters that RFC 3986 allows, and a host of letters, digits and a few signs, so that it means
/// the same to any HTTP client. Source: entitlement rules, section 8; RFC 3986.
struct RemoteAddress: Hashable, Sendable {
  /// The address, without fragment.
  let url: String
  private let parts: ContentURL

  init(_ url: String, allowsHTTP: Bool) throws(ContentFailure) {
    let url = String(Substring(url.utf8.prefix { $0 != UInt8(ascii: "#") }))
    guard url.utf8.allSatisfy(\.isOfURL), let parts = ContentURL(url) else { throw .invalidURL }
    guard parts.scheme == "https" || parts.scheme == "http" && allowsHTTP else {
      throw .schemeNotAllowed
    }
    guard parts.userInformation == nil, parts.hasHostName, parts.hasValidPort else {
      throw .invalidURL
    }
    self.url = url
    self.parts = parts
  }

  /// The address to which the server redirects from this one.
  ///
  /// It is judged like the first one, and must not give up the protection of `https`.
  func redirected(
    to location: String, allowsHTTP: Bool
  ) throws(ContentFailure) -> RemoteAddress {
    try RemoteAddress(
      resolved(location), allowsHTTP: allowsHTTP && parts.scheme == "http")
  }

  /// Resolves a reference; an empty one is this address.
  ///
  /// Source: RFC 3986, section 5.2.
  private func resolved(_ reference: String) -> String {
    let reference = String(Substring(reference.utf8.prefix { $0 != UInt8(ascii: "#") }))
    guard !reference.isEmpty else { return url }
    let start = "\(parts.scheme)://\(parts.host)\(parts.port.map { ":" + $0 } ?? "")"
    if reference.utf8.starts(with: "//".utf8) {
      return Self.withoutDots("\(parts.scheme):\(reference)")
    }
    if reference.utf8.first == UInt8(ascii: "/") { return Self.withoutDots(start + reference) }
    let end = reference.utf8.firstIndex { "/?".utf8.contains($0) } ?? reference.endIndex
    if reference.utf8[..<end].contains(UInt8(ascii: ":")) { return Self.withoutDots(reference) }
    let path = parts.path.isEmpty ? "/" : parts.path
    if reference.utf8.first == UInt8(ascii: "?") { return start + path + reference }
    let directory = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? "/"
    return Self.withoutDots(start + directory + reference)
  }

  /// Returns an address without the segments `.` and `..` of its path; a text that is none stays.
  private static func withoutDots(_ url: String) -> String {
    guard let path = ContentURL(url)?.path, path.utf8.first == UInt8(ascii: "/") else { return url }
    let query = url.utf8.firstIndex(of: UInt8(ascii: "?")) ?? url.endIndex
    guard let start = url.utf8.index(query, offsetBy: -path.utf8.count, limitedBy: url.startIndex)
    else { return url }
    return url[..<start] + DotSegments.removed(from: path) + url[query...]
  }
}

extension ContentURL {
  fileprivate var hasHostName: Bool {
    let isAddress = host.utf8.first == UInt8(ascii: "[") && host.utf8.last == UInt8(ascii: "]")
    let name = isAddress ? host.utf8.dropFirst().dropLast() : host.utf8[...]
    return !name.isEmpty && name.allSatisfy { isAddress ? $0.isOfAddress : $0.isOfName }
  }

  fileprivate var hasValidPort: Bool {
    guard let port else { return true }
    return port.utf8.count <= 5 && port.utf8.areDigits
      && (1...65_535).contains(Int(port) ?? 0)
  }
}

extension UInt8 {
  fileprivate var isOfName: Bool { isLetterOrDigit || "-._".utf8.contains(self) }

  fileprivate var isOfAddress: Bool {
    isDigit || self == UInt8(ascii: ":") || self == UInt8(ascii: ".")
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }

  fileprivate var isOfURL: Bool {
    isLetterOrDigit || "-._~:/?[]@!$&'()*+,;=%".utf8.contains(self)
  }
}

/// The removal of the segments `.` and `..` from a path.
///
/// Source: RFC 3986, section 5.2.4.
enum DotSegments {
  /// Returns a path that begins with a slash, without those segments; `..` at the root leaves nothing.
  static func removed(from path: String) -> String {
    let slash = UInt8(ascii: "/")
    let segments = path.utf8.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
    var kept: [Substring.UTF8View] = []
    for (place, segment) in segments.enumerated() {
      let isParent = segment.elementsEqual("..".utf8)
      guard isParent || segment.elementsEqual(".".utf8) else {
        kept.append(segment)
        continue
      }
      if isParent { _ = kept.popLast() }
      // The last segment leaves the slash before it.
      if place == segments.count - 1 { kept.append("".utf8[...]) }
    }
    return kept.reduce(into: "") { $0 += "/" + String(Substring($1)) }
  }
}
