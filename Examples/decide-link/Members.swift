import StorekeeperWire
import Foundation
import LinkPolicy
import JSONValues
import ReceiptModels

/// The members of a line, read one by one; null counts as absent.
struct Members {
  private var members: [String: JSONValue]

  init(parsing line: [UInt8]) throws(LineFailure) {
    let json: JSONValue
    do throws(JSONValue.SyntaxFailure) {
      json = try JSONValue(parsing: line)
    } catch {
      throw LineFailure(error: "no JSON: \(error)")
    }
    guard case .object(let members) = json else {
      throw LineFailure(error: "expected object, found \(json.kind)")
    }
    self.members = members.filter { $0.value != .null }
  }

  func flag(_ name: String) throws(LineFailure) -> Bool {
    switch members[name] {
    case nil: false
    case .boolean(let value)?: value
    case let other?: throw mismatch(name, .boolean, other)
    }
  }

  /// One of a closed set.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(LineFailure) -> Choice? {
    guard let text = try text(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw LineFailure(path: name, error: "expected one of \(choices)")
    }
    return choice
  }

  /// A moment in whole seconds of UTC, as `2020-11-14T08:00:00Z`.
  func moment(_ name: String) throws(LineFailure) -> Date {
    guard let text = try text(name) else {
      throw LineFailure(path: name, error: "expected timestamp, found absent")
    }
    // Foundation also takes other zones, and the thirtieth of February.
    guard text.utf8.count == 20, let date = try? Date(text, strategy: .iso8601),
      date.formatted(.iso8601) == text
    else { throw LineFailure(path: name, error: "expected timestamp, found string") }
    return date
  }

  func options(under contract: Question.Contract) throws(LineFailure) -> LinkOptions {
    var options = contract.options
    options.isSwitchStrict = try flag("strictSwitch")
    if let environments = try environments("allowedEnvironments") {
      options.allowedEnvironments = environments
    }
    return options
  }

  func model<Model: JSONModel>(
    _ name: String, _ type: Model.Type
  ) throws(LineFailure) -> Model? {
    guard let json = members[name] else { return nil }
    do throws(FieldTypeFailure) {
      return try Model(json: json)
    } catch {
      throw LineFailure(error, in: name)
    }
  }

  private func environments(_ name: String) throws(LineFailure) -> Set<AppStoreEnvironment>? {
    guard let json = members[name] else { return nil }
    guard case .array(let elements) = json else { throw mismatch(name, .array, json) }
    var environments: Set<AppStoreEnvironment> = []
    for (place, element) in elements.enumerated() {
      let path = "\(name)[\(place)]"
      guard case .string(let text) = element else { throw mismatch(path, .string, element) }
      guard let environment = AppStoreEnvironment(anyCase: text) else {
        let known = AppStoreEnvironment.allCases.map(\.rawValue).joined(separator: ", ")
        throw LineFailure(path: path, error: "expected one of \(known)")
      }
      environments.insert(environment)
    }
    return environments
  }

  private func text(_ name: String) throws(LineFailure) -> String? {
    switch members[name] {
    case nil: nil
    case .string(let value)?: value
    case let other?: throw mismatch(name, .string, other)
    }
  }

  private func mismatch(
    _ path: String, _ expected: JSONKind, _ found: JSONValue
  ) -> LineFailure {
    LineFailure(path: path, error: "expected \(expected), found \(found.kind)")
  }
}

extension Members {
  /// The account; nil without any identifier, as some actions need none.
  func account() throws(LineFailure) -> Account? {
    guard let json = members["account"] else { return nil }
    guard case .object(let ids) = json else { throw mismatch("account", .object, json) }
    let account = Members(ids)
    let primaryID = try account.id("ftcId")
    let secondID = try account.id("unionId")
    return Account(primaryID: primaryID, secondID: secondID)
  }

  /// A membership, in which words that nobody knows stay as they are.
  ///
  /// Source: contract on linking, section 1.3.
  func membership(_ name: String) throws(LineFailure) -> Membership? {
    guard var row = try model(name, MembershipBody.self)?.membership else { return nil }
    row.payMethod = row.payMethod.map { PayMethod(stored: $0.rawValue) }
    return row
  }

  private init(_ members: [String: JSONValue]) {
    self.members = members.filter { $0.value != .null }
  }

  private func id(_ name: String) throws(LineFailure) -> AccountID? {
    let text: String?
    do throws(LineFailure) {
      text = try self.text(name)
    } catch {
      throw LineFailure(path: "account.\(error.path)", error: error.error)
    }
    guard let text, !text.isBlank else { return nil }
    do throws(AccountFailure) {
      return try AccountID(text)
    } catch {
      throw LineFailure(path: "account.\(name)", error: "\(error)")
    }
  }
}
