import ReceiptModels
import StoreSimulators
import StorekeeperSimulatorControl

/// The options of the command line about the Play store.
struct PlayOptions {
  private var play = PlayStoreConfiguration()
  private var products: [PlayProduct] = []

  /// The Play store, with its own products unless the options name some.
  var configuration: PlayStoreConfiguration {
    var play = play
    if !products.isEmpty { play.products = products }
    return play
  }

  mutating func set(_ option: String, to value: String) throws {
    switch option {
    case "--play-package": play.packageName = try Options.text(option, value)
    case "--play-subscription": try addPlan(value)
    case "--play-one-time": try add(PlayProduct(Options.text(option, value), .oneTime))
    case "--play-push-url": play.pushURL = try Options.address(option, value)
    case "--play-audience": play.audience = try Options.text(option, value)
    case "--play-push-email": play.pushEmail = try Options.text(option, value)
    default: throw Options.UsageFailure(message: "there is no option \(option)")
    }
  }

  private mutating func add(_ product: PlayProduct) throws {
    guard !products.contains(where: { $0.id == product.id }) else {
      throw Options.UsageFailure(message: "two products of the Play store are called \(product.id)")
    }
    products.append(product)
  }

  /// Reads `ID:PLAN`, `ID:PLAN:DAYS` or `ID:PLAN:DAYS:prepaid`.
  private mutating func addPlan(_ value: String) throws {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let days = parts.count > 2 ? Int(parts[2]) : 30
    let isPrepaid = parts.count == 4
    guard (2...4).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }), let days,
      (1...3650).contains(days), !isPrepaid || parts[3] == "prepaid"
    else {
      throw Options.UsageFailure(
        message: "--play-subscription takes ID:PLAN, ID:PLAN:DAYS or ID:PLAN:DAYS:prepaid")
    }
    let plan = PlayBasePlan(parts[1], isPrepaid ? .prepaid : .autoRenewing, period: .days(days))
    guard let index = products.firstIndex(where: { $0.id == parts[0] }) else {
      return try add(PlayProduct(parts[0], .subscription([plan])))
    }
    let plans = products[index].basePlans
    guard products[index].kind != .oneTime, !plans.contains(where: { $0.id == plan.id }) else {
      throw Options.UsageFailure(message: "the Play store has \(parts[0]):\(parts[1]) already")
    }
    products[index].kind = .subscription(plans + [plan])
  }
}
