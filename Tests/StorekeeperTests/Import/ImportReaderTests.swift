import Storekeeper
import Testing

@Suite("The reading of files of purchases")
struct ImportReaderTests {
  private func rows(
    _ text: String, _ format: ImportFormat, pieces: Int = .max
  ) throws -> [Result<ImportRow, ImportFault>] {
    var reader = ImportReader(format)
    var rest = Array(text.utf8)[...]
    var rows: [Result<ImportRow, ImportFault>] = []
    while !rest.isEmpty {
      rows += try reader.read(Array(rest.prefix(pieces)))
      rest = rest.dropFirst(min(pieces, rest.count))
    }
    return rows + (try reader.finish())
  }

  private func faults(_ text: String, _ format: ImportFormat) throws -> [String] {
    try rows(text, format).map { row in
      switch row {
      case .success: "read"
      case .failure(let fault): "\(fault)"
      }
    }
  }

  private func table(_ change: (inout ImportColumns) -> Void = { _ in }) -> ImportFormat {
    var columns = ImportColumns()
    columns.transactionID = ["id"]
    columns.purchaseToken = ["token"]
    change(&columns)
    return .table(columns)
  }

  @Test(
    "A list has tabs or commas, any end of line, and a byte-order mark or none",
    arguments: [1, 3, 1000])
  func list(pieces: Int) throws {
    let text = "\u{FEFF}alice\t12\r\n\r\nbob,34,Sandbox\ncarol , 56 ,\rdave\t78"
    let rows = try rows(text, .transactions, pieces: pieces).map { try $0.get() }
    #expect(
      rows == [
        ImportRow(line: 1, account: "alice", evidence: .transactionID("12")),
        ImportRow(
          line: 3, account: "bob", evidence: .transactionID("34"), environment: .sandbox),
        ImportRow(line: 4, account: "carol", evidence: .transactionID("56")),
        ImportRow(line: 5, account: "dave", evidence: .transactionID("78")),
      ])
  }

  @Test("A wrong row of a list is a fault at its place, and the next one is read")
  func listFaults() throws {
    #expect(
      try faults(
        "alice\n,1\nal ice,1\nalice,1x\nalice,1,Moon\nalice,1,,2\nalice,1", .transactions) == [
          "line 1, column 6: expected a receipt, a transaction ID or a purchase token, which the store can be asked about",
          "line 2, column 1: expected an account",
          "line 3, column 1: expected an account of at most 128 visible ASCII characters",
          "line 4, column 7: expected a transaction ID of 1 to 64 digits",
          "line 5, column 9: expected an environment of the mapping",
          "line 6, column 10: expected no more values", "read",
        ])
    #expect(
      try faults("alice,no receipt", .receipts) == [
        "line 1, column 7: expected a receipt in base64"
      ])
    #expect(
      try faults("alice,GPA.1-2", .tokens)
        == ["line 1, column 7: expected a purchase token, not the number of an order"])
  }

  @Test(
    "A table has quotation marks, line ends within them, and other columns",
    arguments: [1, 2, 1000])
  func table(pieces: Int) throws {
    let text = "\"note\",account,id\r\n\"a \"\"b\"\",\r\nc\",alice,1\r\n,bob,\"2\"\n\n"
    let rows = try rows(text, table(), pieces: pieces).map { try $0.get() }
    #expect(
      rows == [
        ImportRow(line: 2, account: "alice", evidence: .transactionID("1")),
        ImportRow(line: 4, account: "bob", evidence: .transactionID("2")),
      ])
  }

  @Test("A row that breaks the grammar of CSV is a fault at its place, and the next line is read")
  func tableFaults() throws {
    let text = "account,id\nal\"ice,1\n\"alice\"x,1\nalice,1\nbob,\"2"
    #expect(
      try faults(text, table()) == [
        "line 2, column 3: expected quotation marks around the whole value",
        "line 3, column 8: expected a separator after the closing quotation mark", "read",
        "line 5, column 5: expected a closing quotation mark",
      ])
    #expect(
      try faults("account,id\n\u{E9},1", table())
        == ["line 2, column 1: expected an account of at most 128 visible ASCII characters"])
  }

  @Test("A table without a column is refused as a whole")
  func columns() {
    #expect(throws: ImportFault(line: 1, column: 1, problem: .columnMissing(.account))) {
      try rows("user,id\nalice,1", table())
    }
    #expect(throws: ImportFault(line: 1, column: 1, problem: .columnMissing(.evidence))) {
      try rows("account,number\nalice,1", table())
    }
    #expect(throws: ImportFault(line: 1, column: 12, problem: .columnTwice)) {
      try rows("account,id,id\nalice,1,2", table())
    }
    #expect(throws: ImportFault(line: 1, column: 1, problem: .columnMissing(.account))) {
      try rows("", table())
    }
  }

  @Test("RevenueCat's export names the account by its aliases, and other stores are refused")
  func revenueCat() throws {
    let text = """
      rc_original_app_user_id,rc_last_seen_app_user_id_alias,store,is_sandbox,store_transaction_id,original_store_transaction_id
      $RCAnonymousID:1,alice,app_store,false,12,11
      bob,$RCAnonymousID:2,app_store,true,13,
      carol,dave,play_store,false,GPA.1,
      erin,,stripe,false,si_1,
      $RCAnonymousID:3,,app_store,false,14,14
      """
    let rows = try rows(text, .table(.revenueCat))
    #expect(
      try rows.prefix(2).map { try $0.get() } == [
        ImportRow(
          line: 2, account: "alice", evidence: .transactionID("11"), environment: .production),
        ImportRow(line: 3, account: "bob", evidence: .transactionID("13"), environment: .sandbox),
      ])
    #expect(
      rows.suffix(3).map { row in
        if case .failure(let fault) = row { "\(fault.line) \(fault.problem)" } else { "read" }
      } == [
        "4 expected a purchase token, not the number of an order",
        "5 expected a store of the mapping", "6 expected an account",
      ])
  }

  @Test("onesub's table has tokens of Google where Apple has original transaction IDs")
  func onesub() throws {
    let text = """
      original_transaction_id,user_id,product_id,platform,status
      11,alice,monthly,apple,active
      token,bob,monthly,google,active
      """
    #expect(
      try rows(text, .table(.onesub)).map { try $0.get() } == [
        ImportRow(line: 2, account: "alice", evidence: .transactionID("11")),
        ImportRow(line: 3, account: "bob", evidence: .purchaseToken("token")),
      ])
  }

  @Test("A file has one digest whatever its pieces, and another one as another kind")
  func digest() async throws {
    let bytes = Array(String(repeating: "alice,1\n", count: 300_000).utf8)
    let whole = try await ImportFile(.transactions, reading: TextPieces(bytes, length: .max).next)
    let pieces = try await ImportFile(
      .transactions, reading: TextPieces(bytes, length: 70_001).next)
    let tokens = try await ImportFile(.tokens, reading: TextPieces(bytes).next)
    #expect(whole == pieces)
    #expect(whole.rowCount == 300_000)
    #expect(tokens.digest != whole.digest)
  }

  @Test("What is printed of a row shows no evidence and no account")
  func secrets() {
    let row = ImportRow(line: 3, account: "alice", evidence: .receipt("c2VjcmV0"))
    #expect("\(row)" == "line 3, a receipt")
    #expect(String(reflecting: row) == "line 3, a receipt")
  }
}
