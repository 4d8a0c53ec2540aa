internal import HTTPMessages
public import JSONValues
internal import ReceiptModels
internal import StorekeeperLocks

extension ServerAPIRoute {
  /// The calls about external purchases: section 2.7 of the App Store Server API rules.
  static let externalPurchases: [ServerAPIRoute] = [
    ServerAPIRoute(.put, "externalPurchase/v1/reports") { try $0.sendReport() },
    ServerAPIRoute(.get, "externalPurchase/v1/reports/{id}") { try $0.report() },
  ]
}

extension AppStoreSimulator {
  /// The reports of external purchases that were taken, as they came, by their identifiers.
  public var externalPurchaseReports: [JSONValue] {
    state.withLock { state in
      state.serverAPI.externalReports.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}

extension ServerAPICall {
  /// Takes a report, or refuses all of it with its faults.
  ///
  /// Apple has not published the numbers of the faults but 31, which this simulator never needs; they
  /// are numbered by the rule here.
  func sendReport() throws -> ServerAPIAnswer {
    let body = try body()
    guard let id = body["requestIdentifier"]?.uuid,
      let purchase = body["externalPurchaseId"]?.text, !purchase.isEmpty,
      (server == .sandbox) == purchase.hasPrefix("SANDBOX"), !isElsewhere
    else { throw ServerAPIRefusal.malformedBody }
    let faults = ExternalReportFault.all(in: body)
    guard faults.isEmpty else {
      return ServerAPIAnswer(
        status: .badRequest, json: .object(["errors": .array(faults.map(\.json))]))
    }
    let isNew = appStore.state.withLock { state in
      guard state.serverAPI.externalReports[id] == nil else { return false }
      state.serverAPI.externalReports[id] = .object(body)
      return true
    }
    // A report that was taken before is refused without saying so.
    guard isNew else { throw ServerAPIRefusal.malformedBody }
    return .json(["requestIdentifier": body["requestIdentifier"] ?? .null])
  }

  func report() throws -> ServerAPIAnswer {
    let id = JSONValue.string(parameter("id")).uuid ?? ""
    let report = appStore.state.withLock { $0.serverAPI.externalReports[id] }
    guard let report, !isElsewhere else {
      throw ServerAPIRefusal(status: .badRequest, message: "NotFound")
    }
    return ServerAPIAnswer(json: report)
  }
}

struct ExternalReportFault: Hashable, Sendable {
  let code: Int
  let message: String
  let field: String
  var lineItem: String?

  var json: JSONValue {
    var members: [String: JSONValue] = [
      "errorCode": .integer(code), "errorMessage": .string(message), "fieldName": .string(field),
    ]
    members["lineItemId"] = lineItem.map(JSONValue.string)
    return .object(members)
  }

  static func all(in report: [String: JSONValue]) -> [ExternalReportFault] {
    let items = report["lineItems"]
    switch report["status"]?.text {
    case "LINE_ITEM":
      guard let items = items?.elements, !items.isEmpty else { return [missing("lineItems", nil)] }
      return items.flatMap(faults(of:))
    case "NO_LINE_ITEM", "UNRECOGNIZED_TOKEN", "DUPLICATE_TOKEN":
      return items == nil ? [] : [invalid("lineItems", nil)]
    default: return [invalid("status", nil)]
    }
  }

  private static func faults(of item: JSONValue) -> [ExternalReportFault] {
    let id = item["lineItemId"]?.text
    var faults: [ExternalReportFault] = []
    func need(_ names: [String], _ isValid: (JSONValue) -> Bool) {
      for name in names {
        if let value = item[name] {
          if !isValid(value) { faults.append(invalid(name, id)) }
        } else {
          faults.append(missing(name, id))
        }
      }
    }
    need(["lineItemId"]) { $0.uuid != nil }
    need(["creationDate", "amountTaxExclusive", "amountTaxInclusive"]) { $0.whole != nil }
    need(["netAmountTaxExclusive", "taxAmount"]) { $0.whole != nil }
    need(["pricingCurrency", "reportingCurrency", "taxCountry"]) { $0.text?.isEmpty == false }
    need(["eventType"]) { ["BUY", "REFUND"].contains($0.text) }
    if item["eventType"] == .string("BUY") {
      need(["productType"]) { ["ONE_TIME_BUY", "SUBSCRIPTION"].contains($0.text) }
      need(["productIdentifier"]) { $0.text?.isEmpty == false }
      need(["quantity"]) { ($0.whole ?? 0) > 0 }
    } else if item["eventType"] == .string("REFUND") {
      need(["referenceLineItemId"]) { $0.uuid != nil }
    }
    if item["productType"] == .string("SUBSCRIPTION") {
      need(["subscriptionEvent"]) { $0.text?.isEmpty == false }
      need(["subscriptionStartDate", "subscriptionEndDate"]) { $0.whole != nil }
      need(["subscriptionDaysOfPaidService"]) { ($0.whole ?? -1) >= 0 }
    }
    if let exclusive = item["amountTaxExclusive"]?.whole, let tax = item["taxAmount"]?.whole,
      let inclusive = item["amountTaxInclusive"]?.whole,
      exclusive.addingReportingOverflow(tax) != (inclusive, false)
    {
      faults.append(invalid("amountTaxInclusive", id))
    }
    if item["erroneouslySubmitted"] == .boolean(true), item["restatement"] != .boolean(true) {
      faults.append(invalid("erroneouslySubmitted", id))
    }
    return faults
  }

  private static func missing(_ field: String, _ lineItem: String?) -> ExternalReportFault {
    ExternalReportFault(code: 1, message: "\(field) is missing", field: field, lineItem: lineItem)
  }

  private static func invalid(_ field: String, _ lineItem: String?) -> ExternalReportFault {
    ExternalReportFault(code: 2, message: "\(field) is not valid", field: field, lineItem: lineItem)
  }
}
