internal import Dispatch
internal import EntitlementPolicy
internal import HTTPMessages

/// The address of content below the host's content directory, such as `file:///packs/winter.zip`.
///
/// Source: entitlement rules, section 8; RFC 8089.
struct LocalAddress: Hashable, Sendable {
  let names: [String]

  init(_ url: String) throws(ContentFailure) {
    guard let parts = ContentURL(url) else { throw .invalidURL }
    guard parts.scheme == "file" else { throw .schemeNotAllowed }
    guard parts.userInformation == nil, parts.port == nil, parts.host.isEmpty,
      url.utf8.allSatisfy({ $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }),
      parts.path.utf8.first == UInt8(ascii: "/"), let path = parts.path.percentDecoded
    else { throw .invalidURL }
    names = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
      .filter { $0 != "." }
    guard !path.utf8.contains(0), !names.contains("..") else { throw .outsideContentDirectory }
    guard !names.isEmpty, path.utf8.last != UInt8(ascii: "/") else { throw .invalidURL }
  }

  /// Reads the file, on a thread that may block.
  func bytes(below directory: String?, limit: Int) async throws(ContentFailure) -> [UInt8] {
    guard let directory else { throw .outsideContentDirectory }
    let names = names
    let result = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          returning: Result { () throws(ContentFailure) in
            try LocalFile(names, below: directory).bytes(limit: limit)
          })
      }
    }
    return try result.get()
  }
}
