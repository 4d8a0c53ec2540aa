import Foundation
import StorekeeperSimulatorControl

struct Options {
  var port: UInt16 = 0
  var configuration: SimulatorConfiguration
  var isHelp = false
  /// The file into which the key for the server APIs is written.
  var keyFile: String?
  /// The file into which the key of the service account for the Play store is written.
  var playKeyFile: String?

  /// An invalid command line.
  struct UsageFailure: Error {
    var message: String
  }

  /// Reads the arguments after the program's name.
  init(_ arguments: some Sequence<String>, now: Date) throws {
    configuration = SimulatorConfiguration(start: now)
    var play = PlayOptions()
    // Products belong to the app before them; the first app is the one of --bundle-id.
    var apps = [SoldApp(bundleID: "", appAppleID: 0)]
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      if argument == "--help" || argument == "-h" {
        isHelp = true
        return
      }
      guard argument.hasPrefix("--"), let value = arguments.next() else {
        throw UsageFailure(message: "\(argument) needs a value, or is not an option")
      }
      let last = apps.count - 1
      switch argument {
      case "--app": apps.append(try Self.app(value, number: apps.count))
      case "--product": apps[last].products.append(try Self.product(value))
      case "--pack": apps[last].packs.append(try Self.pack(argument, value, .consumable))
      case "--non-consumable":
        apps[last].packs.append(try Self.pack(argument, value, .nonConsumable))
      case "--non-renewing":
        apps[last].packs.append(try Self.pack(argument, value, .nonRenewing))
      case "--commitment": try Self.setCommitment(value, in: &apps[last].products)
      case "--win-back": try Self.addWinBack(value, in: &apps[last].products)
      case "--play-key-file": playKeyFile = try Self.text(argument, value)
      case let option where option.hasPrefix("--play-"): try play.set(option, to: value)
      default: try set(argument, to: value, now: now)
      }
    }
    configuration.play = play.configuration
    if !apps[0].products.isEmpty { configuration.products = apps[0].products }
    configuration.packs = apps[0].packs
    configuration.otherApps = Array(apps.dropFirst())
    let sold = configuration.apps
    let ids = sold.flatMap { $0.products.map(\.id) + $0.packs.map(\.id) }
    guard Set(ids).count == ids.count else {
      throw UsageFailure(message: "--product, --pack: two products have the same identifier")
    }
    guard Set(sold.map(\.bundleID)).count == sold.count else {
      throw UsageFailure(message: "--app: two apps have the same bundle ID")
    }
  }

  private mutating func set(_ option: String, to value: String, now: Date) throws {
    switch option {
    case "--port": port = try Self.number(option, value)
    case "--bundle-id": configuration.bundleID = try Self.text(option, value)
    case "--app-apple-id": configuration.appAppleID = try Self.number(option, value)
    case "--shared-secret": configuration.sharedSecret = try Self.text(option, value)
    case "--api-key-file": keyFile = try Self.text(option, value)
    case "--webhook": configuration.webhook = try Self.address(option, value)
    case "--desk": configuration.desk = try Self.address(option, value)
    case "--notifications":
      guard let versions = NotificationVersions(rawValue: value) else {
        throw UsageFailure(message: "--notifications takes v1, v2, both or none")
      }
      configuration.versions = versions
    case "--time": configuration.start = try Self.moment(value, now: now)
    default: throw UsageFailure(message: "there is no option \(option)")
    }
  }

  private static func number<Number: FixedWidthInteger>(
    _ option: String, _ value: String
  ) throws -> Number {
    guard let number = Number(value), number >= 0 else {
      throw UsageFailure(message: "\(option) takes a number")
    }
    return number
  }

  static func text(_ option: String, _ value: String) throws -> String {
    guard !value.isEmpty else { throw UsageFailure(message: "\(option) takes a text") }
    return value
  }

  static func address(_ option: String, _ value: String) throws -> String {
    guard SimulatorConfiguration.isAddress(value) else {
      throw UsageFailure(message: "\(option) takes an address with http or https")
    }
    return value
  }

  /// Reads `ID:NAME` or `ID:NAME:DAYS`.
  private static func product(_ value: String) throws -> SoldProduct {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let days = parts.count == 3 ? Int(parts[2]) : 30
    guard parts.count == 2 || parts.count == 3, parts.allSatisfy({ !$0.isEmpty }), let days,
      (1...3650).contains(days)
    else { throw UsageFailure(message: "--product takes ID:NAME or ID:NAME:DAYS") }
    return SoldProduct(id: parts[0], name: parts[1], days: days)
  }

  /// Reads `ID:PRICE`, about a product that was named before.
  private static func setCommitment(_ value: String, in products: inout [SoldProduct]) throws {
    let (place, text) = try part("--commitment takes ID:PRICE", value, of: products)
    guard let price = Int(text), price > 0 else {
      throw UsageFailure(message: "--commitment takes ID:PRICE")
    }
    products[place].commitmentPrice = price
  }

  /// Reads `ID:OFFER`, about a product that was named before.
  private static func addWinBack(_ value: String, in products: inout [SoldProduct]) throws {
    let (place, offer) = try part("--win-back takes ID:OFFER", value, of: products)
    products[place].winBackOffers.append(offer)
  }

  private static func part(
    _ usage: String, _ value: String, of products: [SoldProduct]
  ) throws -> (place: Int, text: String) {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[1].isEmpty,
      let place = products.firstIndex(where: { $0.id == parts[0] })
    else { throw UsageFailure(message: usage + ", of a --product before it") }
    return (place, parts[1])
  }

  /// Reads `ID:NAME`.
  private static func pack(
    _ option: String, _ value: String, _ kind: SoldPack.Kind
  ) throws -> SoldPack {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
      throw UsageFailure(message: "\(option) takes ID:NAME")
    }
    return SoldPack(id: parts[0], name: parts[1], kind: kind)
  }

  /// Reads `BUNDLE` or `BUNDLE:APPLE_ID`.
  private static func app(_ value: String, number: Int) throws -> SoldApp {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let id = parts.count == 2 ? Int(parts[1]) : 1_234_567_890 + number
    guard (1...2).contains(parts.count), !parts[0].isEmpty, let id, id > 0 else {
      throw UsageFailure(message: "--app takes BUNDLE or BUNDLE:APPLE_ID")
    }
    return SoldApp(bundleID: parts[0], appAppleID: id)
  }

  /// Reads a date in UTC such as `2026-01-31T08:00:00Z`, or a number of days ago such as `-90d`.
  private static func moment(_ value: String, now: Date) throws -> Date {
    if value.hasPrefix("-"), value.hasSuffix("d"), let days = Int(value.dropFirst().dropLast()),
      (0...3650).contains(days)
    {
      return now - Double(days) * 86_400
    }
    guard let date = try? Date(value, strategy: .iso8601) else {
      throw UsageFailure(message: "--time takes a moment such as 2026-01-31T08:00:00Z, or -90d")
    }
    return date
  }
}
