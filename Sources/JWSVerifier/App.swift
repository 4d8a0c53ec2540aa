/// One app whose purchases a server accepts.
public struct App: Hashable, Sendable {
  /// The bundle id, compared byte for byte.
  public let bundleID: String
  /// The number that Apple gave the app, as in its App Store address; it is needed for Production.
  public let appAppleID: Int?

  /// Names an app.
  public init(bundleID: String, appAppleID: Int? = nil) {
    self.bundleID = bundleID
    self.appAppleID = appAppleID
  }
}
