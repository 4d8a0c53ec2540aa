import Foundation
import JWSVerifier
import JSONValues
import ReceiptModels
import StorekeeperToolSupport

/// Verifies what stands in a line: a token, or JSON that holds some.
struct LineCheck {
  private let options: Options
  /// The check for the one app that was asked for; nil where any is taken.
  private let check: TokenCheck?

  init(_ options: Options) throws {
    self.options = options
    let app = App(bundleID: options.bundleID, appAppleID: options.appAppleID)
    check = options.isOfAnyBundle ? nil : try TokenCheck(options, app)
  }

  /// What there is to say about a line: one report, or one a token of the JSON that it holds.
  func reports(on line: [UInt8]) -> [TokenReport] {
    guard let json = Wrapping.json(line) else {
      return [report(on: String(decoding: Wrapping.unquoted(line), as: UTF8.self))]
    }
    let found = Wrapping.members(options.kind.members, in: json)
    guard !found.isEmpty else { return [absence(in: json)] }
    return found.map { report(on: $0.text).about(member: $0.member) }
  }

  private func report(on token: String) -> TokenReport {
    if let check { return check.report(on: token) }
    do {
      return try TokenCheck(options, Self.app(namedIn: token)).report(on: token)
    } catch {
      return TokenReport(reason: "configuration", message: "\(error)")
    }
  }

  /// Says which kinds of tokens JSON holds that has none of the kind asked for.
  private func absence(in json: JSONValue) -> TokenReport {
    let others = Options.Kind.allCases.filter { kind in
      !Wrapping.members(kind.members, in: json).isEmpty
    }
    let names = options.kind.members.sorted().joined(separator: ", ")
    let hint = others.map { "; see --kind \($0.rawValue)" }.joined()
    return TokenReport(reason: "noTokenInJSON", message: "this is JSON without \(names)\(hint)")
  }

  /// The app that a token names, before anything of it is believed; without a number of Apple's, some
  /// number, which is compared with that of the token, if it has one.
  private static func app(namedIn token: String) -> App {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    var text = parts.count > 1 ? String(parts[1]) : ""
    text = text.replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.count % 4) % 4)
    let payload = Data(base64Encoded: text).flatMap { Wrapping.json(Array($0)) } ?? .null
    let bundleID = Wrapping.members(["bundleId"], in: payload).first?.text
    let places = [payload, payload["data"], payload["summary"], payload["externalPurchaseToken"]]
    let numbers = places.compactMap { place -> Int? in
      guard case .integer(let number) = place?["appAppleId"] else { return nil }
      return number
    }
    return App(bundleID: bundleID ?? "any", appAppleID: numbers.first ?? 0)
  }
}
