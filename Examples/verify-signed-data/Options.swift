import Foundation
import JWSVerifier
import ReceiptModels

struct Options {
  var bundleID = ""
  /// Whether tokens of any app are accepted, each for the app that it names.
  var isOfAnyBundle = false
  var appAppleID: Int?
  var environment: Environment?
  var roots: [TrustAnchor] = []
  var clock = ClockPolicy.signedDate
  var kind = Kind.transaction
  /// The files to read; empty for standard input.
  var files: [String] = []

  enum Environment: String, CaseIterable {
    case production, sandbox, auto, xcode
    case localTesting = "local-testing"
  }

  enum Kind: String, CaseIterable {
    case transaction, renewal, notification
    case appTransaction = "app-transaction"
    case realtime

    /// The JSON members in which Apple sends tokens of this kind.
    var members: Set<String> {
      switch self {
      case .transaction: ["signedTransactionInfo", "signedTransactions", "signedTransaction"]
      case .renewal: ["signedRenewalInfo"]
      case .notification, .realtime: ["signedPayload"]
      case .appTransaction: ["signedAppTransactionInfo"]
      }
    }
  }

  struct UsageFailure: Error {
    var message: String
  }

  static let usage = """
    usage: verify-signed-data (--bundle-id B | --any-bundle) [--app-apple-id N]
             [--environment production|sandbox|auto|xcode|local-testing] [--root FILE.der]...
             [--clock signed-date|now]
             [--kind transaction|renewal|notification|app-transaction|realtime] [FILE]...

    Reads signed tokens, one a line, from FILEs or standard input, and prints one JSON object
    a line: what a token says when it verifies, or why it is refused. Of JSON the members are
    taken that hold tokens of the kind, such as signedPayload or signedTransactionInfo.

      --bundle-id B       the app that the tokens have to be of
      --any-bundle        takes tokens of any app, to look at them: what verifies so must grant
                          nothing
      --app-apple-id N    the number that Apple gave the app; needed for production and auto
      --environment E     which environments are accepted; by default auto (production and
                          sandbox) with --app-apple-id, and sandbox without; what xcode and
                          local-testing accept is not signed by Apple and proves nothing
      --root FILE.der     a trust anchor instead of Apple's root; may be repeated
      --clock C           judge certificates at the time of signing (the default) or now
      --kind K            what the tokens are; by default transactions

    Exit status: 0 when all tokens verified, 1 when any was refused, 2 on usage errors.

    """

  init(_ arguments: some Sequence<String>) throws {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      guard argument.hasPrefix("-"), argument != "-" else {
        files.append(argument)
        continue
      }
      if argument == "--any-bundle" {
        isOfAnyBundle = true
        continue
      }
      guard let value = arguments.next() else {
        throw UsageFailure(message: "\(argument) needs a value, or is not an option")
      }
      try set(argument, to: value)
    }
    guard !isOfAnyBundle || bundleID.isEmpty else {
      throw UsageFailure(message: "--bundle-id and --any-bundle exclude each other")
    }
    guard isOfAnyBundle || !bundleID.isEmpty else {
      throw UsageFailure(message: "--bundle-id or --any-bundle is needed")
    }
  }

  private mutating func set(_ option: String, to value: String) throws {
    switch option {
    case "--bundle-id": bundleID = value
    case "--app-apple-id":
      guard let number = Int(value), number >= 0 else {
        throw UsageFailure(message: "--app-apple-id takes a number")
      }
      appAppleID = number
    case "--environment": environment = try Self.choice(option, value)
    case "--kind": kind = try Self.choice(option, value)
    case "--clock":
      switch value {
      case "signed-date": clock = .signedDate
      case "now": clock = .now
      default: throw UsageFailure(message: "--clock takes signed-date or now")
      }
    case "--root": roots.append(try Self.anchor(in: value))
    default: throw UsageFailure(message: "there is no option \(option)")
    }
  }

  private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ option: String, _ value: String
  ) throws -> Choice {
    guard let choice = Choice(rawValue: value) else {
      let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageFailure(message: "\(option) takes one of \(choices)")
    }
    return choice
  }

  private static func anchor(in path: String) throws -> TrustAnchor {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw UsageFailure(message: "--root: \(path) cannot be read")
    }
    do throws(TrustAnchor.Failure) {
      return try TrustAnchor(certificate: Array(bytes))
    } catch {
      throw UsageFailure(message: "--root: \(path) is no trust anchor: \(error)")
    }
  }
}
