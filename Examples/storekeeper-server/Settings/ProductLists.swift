import CatalogFiles
import EntitlementPolicy
import GooglePlayVerifier
import JSONValues
import Storekeeper
import StorekeeperLocks

/// The product lists of the apps, which can be read again while the server runs.
final class ProductLists: Sendable {
  /// The maximum number of bytes of a file, which is larger than that of a list that isn't sealed.
  fileprivate static let sizeLimit = SealedCatalog.maximumFileSize
  /// The maximum number of warnings about a list in the log.
  private static let warningLimit = 20

  /// The files of the lists, and what the apps have besides.
  struct Source: Sendable {
    let files: [(bundleID: String, path: String)]
    let keyFile: String?
    let options: EntitlementOptions
    /// The app that Google Play sells too, with its client there.
    let google: (bundleID: String, client: GooglePlayClient)?
  }

  private let source: Source
  private let lists: Locked<[EntitledApp]>
  private let current: Locked<EntitledApps>

  /// Reads the lists of all apps.
  ///
  /// - Throws: ``SettingsFailure`` for the first list, or the key, that can't be used.
  init(_ source: Source) throws(SettingsFailure) {
    self.source = source
    let apps: [EntitledApp]
    do throws(ListFailure) {
      apps = try source.read()
    } catch {
      throw SettingsFailure("\(error)")
    }
    lists = Locked(apps)
    current = Locked(EntitledApps(apps))
  }

  /// The apps in use.
  var apps: EntitledApps { current.withLock { $0 } }

  /// Logs the doubtful parts of the lists, the first ones of each.
  func tellWarnings() {
    for app in lists.withLock({ $0 }) {
      for warning in app.catalog.warnings.prefix(Self.warningLimit) {
        ServerLog.note(
          "product list",
          [
            "app": .string(app.bundleID), "element": .integer(warning.index),
            "key": .string(warning.key), "warning": .string(warning.code.rawValue),
          ])
      }
      let others = app.catalog.warningCount - min(app.catalog.warnings.count, Self.warningLimit)
      guard others > 0 else { continue }
      ServerLog.note(
        "product list",
        ["app": .string(app.bundleID), "furtherWarnings": .integer(others)])
    }
  }

  /// Reads the key and all lists again, and logs what has changed; if one of them is refused, nothing
  /// changes.
  func reload() {
    let apps: [EntitledApp]
    do throws(ListFailure) {
      apps = try source.read()
    } catch {
      return error.tell()
    }
    let old = lists.withLock { lists in
      defer { lists = apps }
      return lists
    }
    current.withLock { $0 = EntitledApps(apps) }
    for (before, now) in zip(old, apps) {
      ServerLog.note(
        "product list reloaded",
        [
          "app": .string(now.bundleID), "products": .integer(now.catalog.products.count),
          "changed": .boolean(before.catalog != now.catalog),
        ])
    }
    tellWarnings()
  }

}

extension ProductLists.Source {
  fileprivate func read() throws(ListFailure) -> [EntitledApp] {
    let key = try keyFile.map { path throws(ListFailure) in try ProductLists.key(path) }
    var apps: [EntitledApp] = []
    for (bundleID, path) in files {
      apps.append(
        EntitledApp(
          bundleID: bundleID, catalog: try ProductLists.list(path, key, bundleID),
          options: options, googlePlay: google?.bundleID == bundleID ? google?.client : nil))
    }
    return apps
  }
}

extension ProductLists {
  fileprivate static func key(_ path: String) throws(ListFailure) -> CatalogKey {
    guard let bytes = RegularFile.contents(path, limit: 1024) else {
      throw ListFailure(app: nil, .keyUnreadable)
    }
    do throws(CatalogKeyFailure) {
      return try CatalogKey(file: bytes)
    } catch {
      throw ListFailure(app: nil, .key(error))
    }
  }

  fileprivate static func list(
    _ path: String, _ key: CatalogKey?, _ app: String
  ) throws(ListFailure) -> ProductCatalog {
    guard var bytes = RegularFile.contents(path, limit: sizeLimit) else {
      throw ListFailure(app: app, .unreadable(path: path))
    }
    if let key {
      do throws(SealedCatalogFailure) {
        bytes = try SealedCatalog.open(bytes, key: key)
      } catch {
        throw ListFailure(app: app, .sealed(error))
      }
    }
    do throws(ProductListFailure) {
      return try ProductCatalog(json: bytes)
    } catch {
      throw ListFailure(app: app, .list(error))
    }
  }
}
