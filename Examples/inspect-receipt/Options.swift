import Foundation
import JWSVerifier

struct Options {
  var bundleID: String?
  /// The roots at which chains must end; empty for Apple's root.
  var roots: [TrustAnchor] = []
  var allowsXcode = false
  var certificates: [[UInt8]] = []
  /// The date at which the state of subscriptions is determined.
  var date = Date()
  var files: [String] = []

  struct UsageFailure: Error {
    var message: String
  }

  static let usage = """
    usage: inspect-receipt [--bundle-id B | --any-bundle] [--root FILE.der]... [--allow-xcode]
             [--at DATE] FILE...

    Verifies receipts offline, one a file (base64, DER or BER; - for standard input), and prints
    one JSON object a line: what a receipt says when it verifies, or why it is refused. Of a file
    in JSON the members are taken that hold receipts, such as receipt-data or latest_receipt.

      --bundle-id B      the app that the receipts have to be of
      --any-bundle       receipts of any app, as without either option
      --root FILE.der    a trust anchor instead of Apple's root; may be repeated. A transaction
                         receipt of iOS 6 embeds no issuer: name Apple's intermediate and its
                         root, each with a --root of its own
      --allow-xcode      accept receipts of Xcode, which anyone can sign and which prove nothing
      --at DATE          when the subscriptions are judged, such as 2020-11-29 or
                         2020-11-29T16:58:35Z; by default now

    Exit status: 0 when all receipts verified, 1 when any was refused, 2 on usage errors.

    """

  init(_ arguments: some Sequence<String>) throws {
    var rootFiles: [String] = []
    var isOfAnyBundle = false
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      switch argument {
      case "--allow-xcode": allowsXcode = true
      case "--any-bundle": isOfAnyBundle = true
      case "--bundle-id": bundleID = try Self.value(of: argument, in: &arguments)
      case "--root": rootFiles.append(try Self.value(of: argument, in: &arguments))
      case "--at": date = try Self.date(try Self.value(of: argument, in: &arguments))
      case _ where argument.hasPrefix("-") && argument != "-":
        throw UsageFailure(message: "there is no option \(argument)")
      default: files.append(argument)
      }
    }
    for file in rootFiles { try add(root: file) }
    guard bundleID?.isEmpty != true else { throw UsageFailure(message: "--bundle-id is empty") }
    guard bundleID == nil || !isOfAnyBundle else {
      throw UsageFailure(message: "--bundle-id and --any-bundle exclude each other")
    }
    guard !files.isEmpty else { throw UsageFailure(message: "no file is named") }
  }

  private static func value(
    of option: String, in arguments: inout some IteratorProtocol<String>
  ) throws -> String {
    guard let value = arguments.next() else {
      throw UsageFailure(message: "\(option) needs a value")
    }
    return value
  }

  private static func date(_ text: String) throws -> Date {
    let moment = try? Date(text, strategy: .iso8601)
    let day = try? Date(text, strategy: .iso8601.year().month().day())
    guard let date = moment ?? day else {
      throw UsageFailure(message: "--at takes a date such as 2020-11-29T16:58:35Z")
    }
    return date
  }

  /// Adds a root; for receipts from Xcode also a certificate that is not an authority.
  private mutating func add(root path: String) throws {
    guard let content = FileManager.default.contents(atPath: path) else {
      throw UsageFailure(message: "--root: \(path) cannot be read")
    }
    do throws(TrustAnchor.Failure) {
      roots.append(try TrustAnchor(certificate: Array(content)))
    } catch {
      guard error == .notACertificateAuthority, allowsXcode else {
        throw UsageFailure(message: "--root: \(path) is no trust anchor: \(error)")
      }
    }
    // Signers for Xcode and issuers for iOS 6 are accepted only in DER.
    if content.first == 0x30 { certificates.append(Array(content)) }
  }
}
