import Foundation
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
        "alice\n,1\na\0e,1\nalice,1x\nalice,1,Moon\nalice,1,,2\nalice,1", .transactions) == [
          "line 1, column 6: expected a receipt, a transaction ID or a purchase token, which the store can be asked about",
          "line 2, column 1: expected an account",
          "line 3, column 1: expected an account of at most 128 bytes without a zero byte",
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
  }

  @Test("A row that is as long as allowed is read, and the line after a longer one too")
  func longestRow() throws {
    let most = ImportFormat.maximumRowLength
    let longest = "alice,1," + String(repeating: "x", count: most - 8)
    let text = "account,id,note\n\(longest)\nbob,2,\n\(longest)y\ncarol,3,\n"
    for ending in ["\n", "\r\n"] {
      #expect(
        try faults(text.replacingOccurrences(of: "\n", with: ending), table()) == [
          "read", "read", "line 4, column \(most + 1): expected a row of at most \(most) bytes",
          "read",
        ])
    }
  }

  @Test(
    "A quotation mark without its partner costs its own row alone", arguments: [1, 1000])
  func openQuote(pieces: Int) throws {
    let text = "account,id,note\nalice,1,\"x\nbob,2,\ncarol,3,\"y\ndave,4,\n"
    let open = "column 9: expected a closing quotation mark"
    #expect(
      try faults(text, table()) == ["line 2, \(open)", "read", "line 4, \(open)", "read"])
    let long = String(repeating: "eve,5," + String(repeating: "-", count: 1 << 20) + "\n", count: 6)
    let rows = try rows("account,id,note\nalice,1,\"x\n" + long, table(), pieces: pieces * 1000)
    #expect(rows.map { (try? $0.get()) != nil } == [false] + Array(repeating: true, count: 6))
  }

  @Test("Line ends of two characters within quotation marks count once", arguments: [1, 7, 1000])
  func linesInQuotes(pieces: Int) throws {
    let text = "account,id,note\r\nalice,1,\"a\r\n\r\nb\"\r\nbob,x,\r\ncarol,1,\"\r\n\"z\r\nd,x,"
    let places = try rows(text, table(), pieces: pieces).map { row in
      switch row {
      case .success(let row): "\(row.line)"
      case .failure(let fault): "\(fault.line):\(fault.column)"
      }
    }
    #expect(places == ["2", "5:5", "6:9", "7:1", "8:3"])
  }

  @Test("An account is any text that the store takes as a user")
  func opaqueAccounts() throws {
    let rows = try rows("account,id\nMüller & Töchter,1\n\" a b \",2\n", table())
    #expect(
      try rows.map { try $0.get().account } == [
        try AccountID(opaque: "Müller & Töchter"), try AccountID(opaque: "a b"),
      ])
    let listed = try self.rows("al ice,1\n用户\t2", .transactions).map { try $0.get().account }
    #expect(listed == [try AccountID(opaque: "al ice"), try AccountID(opaque: "用户")])
    let long = String(repeating: "é", count: 65)
    #expect(
      try faults("\(long),1", .transactions)
        == ["line 1, column 1: expected an account of at most 128 bytes without a zero byte"])
  }

  @Test("Of RevenueCat's columns only that of aliases has several identifiers")
  func commas() throws {
    let text = """
      rc_original_app_user_id,rc_last_seen_app_user_id_alias,aliases,store,original_store_transaction_id
      "bob,jr","bob,the second","x,y",app_store,11
      """
    let row = try #require(try rows(text, .table(.revenueCat)).first).get()
    #expect(row.account == "bob,jr")
    #expect(row.aliases.map(\.rawValue) == ["bob,the second", "x", "y"])
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
