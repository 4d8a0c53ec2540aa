import CatalogFiles
import ReceiptModels
import Storekeeper
import Testing

@Suite("The mapping of a table's columns")
struct ImportMappingTests {
  private func mapping(_ text: String) throws -> ImportColumns {
    try ImportMapping(bytes: Array(text.utf8)).columns
  }

  @Test("Every key has its column, and a list its columns")
  func keys() throws {
    var expected = ImportColumns()
    expected.account = ["user", "other"]
    expected.accountSeparator = "|"
    expected.ignoredAccountPrefixes = ["anonymous-"]
    expected.receipt = ["receipt"]
    expected.transactionID = ["id", "old_id"]
    expected.purchaseToken = ["token"]
    expected.store = "shop"
    expected.stores = ["ios": .apple, "android": .google]
    expected.environment = "test"
    expected.environments = ["yes": .sandbox, "no": .production]
    expected.app = "bundle"
    expected.separator = 0x3B
    #expect(
      try mapping(
        """
        account: [user, other]
        account_separator: "|"
        ignored_account_prefixes: anonymous-
        receipt: receipt
        transaction_id: [id, old_id]
        purchase_token: token
        store: shop
        stores: {ios: apple, android: google}
        environment: test
        environments: {"yes": Sandbox, "no": Production}
        app: bundle
        separator: ";"
        """) == expected)
    #expect(try mapping(#"{"account": "user", "separator": "tab"}"#).separator == 0x09)
  }

  @Test("A preset has its columns, and the other keys replace them")
  func presets() throws {
    #expect(try mapping("preset: onesub") == .onesub)
    #expect(try mapping("preset: revenuecat") == .revenueCat)
    var changed = ImportColumns.revenueCat
    changed.purchaseToken = ["fetch_token"]
    #expect(try mapping("preset: revenuecat\npurchase_token: fetch_token") == changed)
  }

  @Test(
    "A fault refuses the whole file, with its line",
    arguments: [
      ("transaction_id: id", "account (line 1): expected a text, but the key is missing"),
      ("account: 7", "account (line 1): expected a text"),
      ("account: u\nstores: {ios: pear}", "stores.ios (line 2): expected apple or google"),
      (
        "account: u\nseparator: ab",
        "separator (line 2): expected 1 to 1 characters without white space"
      ),
      ("preset: other", "preset (line 1): expected revenuecat or onesub"),
    ])
  func faults(text: String, message: String) {
    let failure = #expect(throws: MappingFailure.self) { try mapping(text) }
    #expect(failure.map { "\($0)" } == "mapping: \(message)")
  }

  @Test("An unknown key is refused, as a column that is not read would be missed")
  func unknown() {
    let failure = #expect(throws: MappingFailure.self) { try mapping("account: u\nid: x") }
    #expect(failure?.kind == .unknownType)
    #expect(failure?.line == 2)
  }
}
