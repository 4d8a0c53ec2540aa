/// The removal of the segments `.` and `..` from a path.
///
/// Source: RFC 3986, section 5.2.4.
enum DotSegments {
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
