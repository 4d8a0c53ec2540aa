public import EntitlementPolicy
public import GooglePlayVerifier
internal import JSONValues
internal import ReceiptModels

/// An app whose products a host lets users have.
public struct EntitledApp: Sendable {
  public let bundleID: String
  public let catalog: ProductCatalog
  public private(set) var options: EntitlementOptions
  /// The client of Google Play for the app, whose products have the same IDs there; nil if it is not sold there.
  public let googlePlay: GooglePlayClient?
  /// The apps whose rows are read for this one: itself, then the bundled ones.
  let readBundleIDs: [String]

  /// Creates an app.
  public init(
    bundleID: String, catalog: ProductCatalog, options: EntitlementOptions = .standard,
    googlePlay: GooglePlayClient? = nil
  ) {
    self.bundleID = bundleID
    self.catalog = catalog
    self.options = options
    self.googlePlay = googlePlay
    let bundled = options.multiApp?.bundledApplicationIDs ?? []
    readBundleIDs = [bundleID] + bundled.filter { !$0.isSameText(as: bundleID) }
  }

  /// Returns the app as it is for one account.
  func counting(_ environments: CountedEnvironments) -> EntitledApp {
    var app = self
    app.options = options.counting(environments)
    return app
  }
}

/// The apps of a host, by their bundle IDs.
public struct EntitledApps: Sendable {
  private let apps: [UniqueText: EntitledApp]

  /// Creates the apps of a host; of two with one bundle ID the last one counts.
  public init(_ apps: [EntitledApp]) {
    self.apps = Dictionary(apps.map { (UniqueText($0.bundleID), $0) }) { $1 }
  }

  /// The app with a bundle ID, or nil if there is none.
  public subscript(bundleID: String) -> EntitledApp? { apps[UniqueText(bundleID)] }

  /// The only app, or nil if there are several or none.
  public var only: EntitledApp? { apps.count == 1 ? apps.values.first : nil }

  /// Returns the apps whose purchases count for an app: itself, then the bundled ones; a bundled app that the
  /// host does not have now is asked about with the settings of this one.
  func counting(for app: EntitledApp) -> [EntitledApp] {
    app.readBundleIDs.map { bundleID in
      bundleID.isSameText(as: app.bundleID)
        ? app
        : self[bundleID]
          ?? EntitledApp(bundleID: bundleID, catalog: app.catalog, options: app.options)
    }
  }

  /// The bundle IDs, in ascending order of their bytes.
  public var bundleIDs: [String] { apps.keys.sorted().map(\.text) }
}
