import Foundation
import OrderPolicy
import ReceiptModels
import StorekeeperHTTP
import Testing

@Suite("Levels (entitlement rules, section 12)")
struct SubscriptionLevelTests {
  private func levels(_ json: String) throws(SubscriptionLevelFailure) -> SubscriptionLevels {
    try SubscriptionLevels(json: Array(json.utf8))
  }

  private static let pro = """
    {"name":"Pro","description":"Ten portfolios","portfolioLimit":10,"fee":9.99,\
    "appleProductId":"com.example.snips.pro","googleProductId":"pro_monthly"}
    """

  @Test("a level is read with all its values, and a fee digit by digit")
  func reading() throws {
    let level = try #require(try levels("[\(Self.pro)]").all.first)
    #expect(level.name == "Pro")
    #expect(level.description == "Ten portfolios")
    #expect(level.quota == 10)
    #expect(level.fee.description == "9.99")
    #expect(level.appleProductID == "com.example.snips.pro")
    #expect(level.googleProductID == "pro_monthly")
    #expect(try levels("[]").all.isEmpty)
  }

  @Test(
    "a fee is exact",
    arguments: [
      ("0", "0"), ("0.1", "0.1"), ("4.90", "4.9"), ("1e1", "10"), ("19.999999", "19.999999"),
      ("999999999.999999", "999999999.999999"), ("5E-1", "0.5"),
      ("0.0000010", "0.000001"), ("12345600e-6", "12.3456"), ("0e999", "0"), ("1E+2", "100"),
    ])
  func fees(_ text: String, _ expected: String) throws {
    let list = try levels(
      #"[{"name":"a","description":"","portfolioLimit":0,"fee":\#(text)}]"#)
    #expect(list.all.first?.fee.description == expected)
    #expect(list.all.first?.appleProductID == nil)
  }

  @Test(
    "a text that is no number of JSON, or no fee, is none",
    arguments: [
      "", "-1", "+1", "01", "1.", ".5", "1e", "1e+", "0x1", "1 ", "1,5", "1000000000", "1e9",
      "1e1000",
      "0.0000001", "1e-7", "١", "NaN", "99999999999999999999", "1e-999",
    ])
  func noFee(_ text: String) {
    #expect(MonthlyFee(text) == nil)
  }

  @Test("a level that names a billing plan is that plan's, and one without that of all others")
  func plans() throws {
    let list = try levels(
      """
      [{"name":"month","description":"","portfolioLimit":1,"fee":1,"googleProductId":"reader"},
       {"name":"year","description":"","portfolioLimit":1,"fee":2,"googleProductId":"reader:yearly",
        "appleProductId":"paper:MONTHLY"}]
      """)
    for (vendor, product, plan, name) in [
      (Vendor.google, "reader", "yearly", "year"), (.google, "reader", "monthly", "month"),
      (.google, "reader", nil, "month"), (.apple, "paper", "MONTHLY", "year"),
      (.apple, "paper", "BILLED_UPFRONT", nil), (.apple, "paper", nil, nil),
      (.apple, "reader", "yearly", nil),
    ] as [(Vendor, String, String?, String?)] {
      let purchase = VendorPurchase(
        productID: product, planID: plan, expiration: Date(timeIntervalSince1970: 0),
        purchaseKey: PurchaseKey(vendor: vendor, environment: .production, identifier: "1"))
      #expect(list.level(of: purchase, from: vendor)?.name == name, "\(product) \(plan ?? "")")
    }
  }

  @Test("levels come by fee, then by the bytes of the name")
  func order() throws {
    let list = try levels(
      """
      [{"name":"b","description":"","portfolioLimit":1,"fee":5},
       {"name":"a","description":"","portfolioLimit":1,"fee":10},
       {"name":"B","description":"","portfolioLimit":1,"fee":5.0,"appleProductId":null},
       {"name":"z","description":"","portfolioLimit":1,"fee":0.5}]
      """)
    #expect(list.all.map(\.name) == ["z", "B", "b", "a"])
    #expect(list.level(named: "b")?.fee == "5")
    #expect(list.level(named: "c") == nil)
  }

  @Test("a product gives its level, at its own vendor only")
  func products() throws {
    let list = try levels("[\(Self.pro)]")
    #expect(list.level(ofProduct: "pro_monthly", from: .google)?.name == "Pro")
    #expect(list.level(ofProduct: "pro_monthly", from: .apple) == nil)
    #expect(list.level(ofProduct: "com.example.snips.pro", from: .apple)?.name == "Pro")
    #expect(list.level(ofProduct: "pro_monthly", from: Vendor(rawValue: "amazon")) == nil)
  }

  private static let faults: [(json: String, description: String)] = [
    ("", "levels: not JSON at byte 0"),
    ("[", "levels: not JSON at byte 1"),
    ("{}", "levels: not an array"),
    ("[1]", "levels: element 0: not an object"),
    (#"[{}]"#, #"levels: element 0, key "name": missing"#),
    (#"[{"name":null}]"#, #"levels: element 0, key "name": missing"#),
    (#"[{"name":1}]"#, #"levels: element 0, key "name": wrong type"#),
    (
      #"[{"name":"","description":"","portfolioLimit":0,"fee":0}]"#,
      #"levels: element 0, key "name": text not allowed"#
    ),
    (
      #"[{"name":"a\u0000","description":"","portfolioLimit":0,"fee":0}]"#,
      #"levels: element 0, key "name": text not allowed"#
    ),
    (
      #"[{"name":"a","description":"","portfolioLimit":-1,"fee":0}]"#,
      #"levels: element 0, key "portfolioLimit": number not allowed"#
    ),
    (
      #"[{"name":"a","description":"","portfolioLimit":1.5,"fee":0}]"#,
      #"levels: element 0, key "portfolioLimit": wrong type"#
    ),
    (
      #"[{"name":"a","description":"","portfolioLimit":1,"fee":"9.99"}]"#,
      #"levels: element 0, key "fee": wrong type"#
    ),
    (
      #"[{"name":"a","description":"","portfolioLimit":1,"fee":-0.01}]"#,
      #"levels: element 0, key "fee": number not allowed"#
    ),
    (
      #"[{"name":"a","description":"","portfolioLimit":1,"fee":1e9}]"#,
      #"levels: element 0, key "fee": number not allowed"#
    ),
    (
      #"[{"name":"a","description":"","portfolioLimit":1,"fee":0.0000001}]"#,
      #"levels: element 0, key "fee": number not allowed"#
    ),
    (
      #"[{"name":"a","description":"","portfolioLimit":1,"fee":1e-999}]"#,
      #"levels: element 0, key "fee": number not allowed"#
    ),
    (
      #"[{"name":"a","name":"b","description":"","portfolioLimit":1,"fee":1}]"#,
      #"levels: element 0, key "name": repeated"#
    ),
    (
      #"[{"name":"a","googleProductID":"x"}]"#,
      #"levels: element 0, key "googleProductID": unknown"#
    ),
    ("[\(pro),\(pro)]", #"levels: element 1, key "name": repeated"#),
    (
      #"[\#(pro),{"name":"b","description":"","portfolioLimit":1,"fee":1,"appleProductId":"com.example.snips.pro"}]"#,
      #"levels: element 1, key "appleProductId": repeated"#
    ),
    (
      #"[\#(pro),{"name":"b","description":"","portfolioLimit":1,"fee":1,"googleProductId":"pro_monthly"}]"#,
      #"levels: element 1, key "googleProductId": repeated"#
    ),
  ]

  @Test("each fault has its place and its reason", arguments: faults)
  func fault(_ fault: (json: String, description: String)) {
    do throws(SubscriptionLevelFailure) {
      _ = try levels(fault.json)
      Issue.record("accepted: \(fault.json)")
    } catch {
      #expect(error.description == fault.description)
    }
  }

  @Test("names and products that only look alike are different")
  func alike() throws {
    #expect(
      try levels(
        """
        [{"name":"é","description":"","portfolioLimit":1,"fee":1,"appleProductId":"é"},
         {"name":"e\\u0301","description":"","portfolioLimit":1,"fee":1,"appleProductId":"e\\u0301"}]
        """
      ).all.count == 2)
  }

  @Test("a file of too many bytes, and a list of too many levels, are refused")
  func bounds() {
    let space = [UInt8](repeating: UInt8(ascii: " "), count: SubscriptionLevels.maximumByteCount)
    #expect(throws: SubscriptionLevelFailure.self) {
      try SubscriptionLevels(json: space + Array("[]".utf8))
    }
    let many = (0...SubscriptionLevels.maximumCount).map {
      #"{"name":"\#($0)","description":"","portfolioLimit":1,"fee":1}"#
    }
    do throws(SubscriptionLevelFailure) {
      _ = try levels("[\(many.joined(separator: ","))]")
      Issue.record("accepted")
    } catch {
      #expect(error.reason == .tooMany)
    }
    #expect(throws: Never.self) {
      try levels("[\(many.dropLast().joined(separator: ","))]")
    }
  }
}
