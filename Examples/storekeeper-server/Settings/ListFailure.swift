import CatalogFiles
import EntitlementPolicy
import JSONValues

/// The reason why product lists can't be used, without their contents and without the key.
struct ListFailure: Error, CustomStringConvertible {
  /// The app of the list; nil for the key of all lists.
  let app: String?
  let reason: Reason

  enum Reason {
    case keyUnreadable
    case key(CatalogKeyFailure)
    case unreadable(path: String)
    case sealed(SealedCatalogFailure)
    case list(ProductListFailure)
  }

  init(app: String?, _ reason: Reason) {
    self.app = app
    self.reason = reason
  }

  var description: String {
    guard let app else { return "the file of --catalog-key \(text)" }
    return "the product list of \(app): \(place)\(text)"
  }

  /// The element and the key at fault.
  private var place: String {
    guard case .list(let failure) = reason, let index = failure.index else { return "" }
    return "element \(index), " + (failure.key.map { "key \($0), " } ?? "")
  }

  private var text: String {
    switch reason {
    case .keyUnreadable: "cannot be read"
    case .key(let failure): "is no key: \(failure)"
    case .unreadable(let path): "\(path) cannot be read"
    case .sealed(let failure): "\(failure)"
    // The value itself stays in the list.
    case .list(let failure):
      if case .unknownValue = failure.reason { "unknown value" } else { "\(failure.reason)" }
    }
  }

  /// Logs why nothing has changed.
  func tell() {
    var members: [(String, JSONValue)] = []
    if let app { members.append(("app", .string(app))) }
    if case .list(let failure) = reason {
      if let index = failure.index { members.append(("element", .integer(index))) }
      if let key = failure.key { members.append(("key", .string(key))) }
    }
    members.append(("reason", .string(app == nil ? "the file of the key \(text)" : text)))
    ServerLog.note("product list refused", members)
  }
}
