import EntitlementPolicy
import Foundation
import JSONValues
import ReceiptModels
import StorekeeperToolSupport

// The product list and the settings (entitlement rules, sections 1, 5.1 and 6.1).
extension LineMembers {
  func catalog() throws(LineFailure) -> ProductCatalog {
    let list = try required("list", .array, try elements("list"))
    do throws(ProductListFailure) {
      return try ProductCatalog(json: JSONValue.array(list).serialized)
    } catch {
      throw LineFailure(path: path("list"), error: "\(error)")
    }
  }

  func options() throws(LineFailure) -> EntitlementOptions {
    let standard = EntitlementOptions.standard
    let environments = try texts("environments").map(AppStoreEnvironment.init(rawValue:))
    let counted = CountedEnvironments(
      environments.isEmpty ? standard.environments.environments : Set(environments),
      testers: Set(try accountIDs("testers")))
    let days = try object("days")
    var durations: [String: Duration] = [:]
    for name in days?.names ?? [] {
      durations[name] = try days?.value(name, Int.self).map { Duration.days($0) }
    }
    let marker = try text("multiAppSubscriptionMarker")
    let strategy: MultiAppSubscriptions.Strategy = try choice("markerStrategy") ?? .substring
    let apps = try texts("bundledApplicationIDs")
    let grace = try value("graceDays", Int.self).map { Duration.days($0) } ?? standard.grace
    let statusTTL =
      try value("statusTTL", Int.self).map { Duration.seconds($0) } ?? standard.statusTTL
    do throws(EntitlementOptionsFailure) {
      return try EntitlementOptions(
        grace: grace, statusTTL: statusTTL,
        environments: counted,
        durations: try SubscriptionDurations(durations),
        multiApp: try multiApp(apps, marker, strategy))
    } catch {
      // Lines have the grace in days.
      let name = error == .graceOutOfRange ? "graceDaysOutOfRange" : "\(error)"
      throw LineFailure(path: "options", error: "these options are not possible: \(name)")
    }
  }

  private func multiApp(
    _ apps: [String], _ marker: String?, _ strategy: MultiAppSubscriptions.Strategy
  ) throws(EntitlementOptionsFailure) -> MultiAppSubscriptions? {
    guard let marker else { return nil }
    return try MultiAppSubscriptions(
      bundledApplicationIDs: apps, marker: marker, strategy: strategy)
  }
}
