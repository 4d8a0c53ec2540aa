internal import JSONValues
internal import ReceiptModels

/// The columns of a table by their places, as its first row names them.
struct ImportTable: Sendable {
  private let columns: ImportColumns
  private let accounts: [Int]
  /// Those of the accounts that have several identifiers each.
  private let separated: Set<Int>
  private let receipts: [Int]
  private let transactionIDs: [Int]
  private let purchaseTokens: [Int]
  private let store: Int?
  private let environment: Int?
  private let app: Int?

  /// Finds the columns.
  ///
  /// - Throws: ``ImportFault`` if none has the account, none any evidence or, where the mapping names one, none the
  ///   store; or if one that counts is named twice.
  init(_ header: ImportRecord, _ columns: ImportColumns) throws(ImportFault) {
    var places: [String: Int] = [:]
    var repeated: [String: ImportFault] = [:]
    for (place, value) in header.values.enumerated() {
      let name = try value.text()
      if places[name] == nil {
        places[name] = place
      } else {
        repeated[name] = value.fault(.columnTwice)
      }
    }
    func place(_ name: String) throws(ImportFault) -> Int? {
      if let fault = repeated[name] { throw fault }
      return places[name]
    }
    func all(_ names: [String]) throws(ImportFault) -> [Int] {
      var found: [Int] = []
      for name in names {
        if let place = try place(name) { found.append(place) }
      }
      return found
    }
    func one(_ name: String?) throws(ImportFault) -> Int? {
      guard let name else { return nil }
      return try place(name)
    }
    self.columns = columns
    accounts = try all(columns.account)
    separated = Set(try all(columns.separatedAccounts ?? columns.account))
    receipts = try all(columns.receipt)
    transactionIDs = try all(columns.transactionID)
    purchaseTokens = try all(columns.purchaseToken)
    store = try one(columns.store)
    environment = try one(columns.environment)
    app = try one(columns.app)
    func missing(_ value: ImportFault.Value) -> ImportFault {
      ImportFault(line: header.line, column: 1, problem: .columnMissing(value))
    }
    guard !accounts.isEmpty else { throw missing(.account) }
    guard !(receipts + transactionIDs + purchaseTokens).isEmpty else { throw missing(.evidence) }
    guard columns.store == nil || store != nil else { throw missing(.store) }
  }

  /// Reads a row.
  func row(_ record: ImportRecord) throws(ImportFault) -> ImportRow {
    let ids = try identifiers(in: record)
    guard let account = ids.first else { throw fault(.missing(.account), at: accounts, in: record) }
    var row = ImportRow(
      line: record.line, account: account, aliases: Array(ids.dropFirst()),
      evidence: try evidence(in: record))
    if let value = value(environment, in: record) {
      row.environment = try value.environment(among: columns.environments)
    }
    if let text = try value(app, in: record)?.text(), !text.isEmpty { row.appID = text }
    return row
  }

  private func identifiers(in record: ImportRecord) throws(ImportFault) -> [AccountID] {
    var ids: [AccountID] = []
    for place in accounts {
      guard let value = value(place, in: record) else { continue }
      var parts = [value]
      if let separator = columns.accountSeparator, separated.contains(place) {
        parts = try value.text().split(separator: separator).map { part in
          var one = value
          one.bytes = Array(part.utf8)
          return one
        }
      }
      for part in parts {
        let text = try part.text()
        let isIgnored = columns.ignoredAccountPrefixes.contains { text.utf8.starts(with: $0.utf8) }
        guard !text.isEmpty, !isIgnored else { continue }
        let id = try part.account()
        if !ids.contains(id) { ids.append(id) }
      }
    }
    return ids
  }

  private func evidence(in record: ImportRecord) throws(ImportFault) -> ImportEvidence {
    var vendor: Vendor?
    if let value = value(store, in: record) {
      let text = try value.text()
      guard !text.isEmpty else { throw value.fault(.missing(.store)) }
      guard let known = columns.stores[text] else { throw value.fault(.unknownStore) }
      vendor = known
    }
    if vendor != .google {
      if let value = first(receipts, in: record) { return try value.receipt() }
      if let value = first(transactionIDs, in: record) { return try value.transactionID() }
    }
    if vendor != .apple, let value = first(purchaseTokens, in: record) {
      return try value.purchaseToken()
    }
    throw fault(.missing(.evidence), at: receipts + transactionIDs + purchaseTokens, in: record)
  }

  /// Returns the first value at these places that is not empty.
  private func first(_ places: [Int], in record: ImportRecord) -> ImportRecord.Value? {
    places.lazy.compactMap { value($0, in: record) }.first { value in
      value.bytes.contains { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    }
  }

  private func value(_ place: Int?, in record: ImportRecord) -> ImportRecord.Value? {
    guard let place, record.values.indices.contains(place) else { return nil }
    return record.values[place]
  }

  private func fault(
    _ problem: ImportFault.Problem, at places: [Int], in record: ImportRecord
  ) -> ImportFault {
    if let value = value(places.first, in: record) { return value.fault(problem) }
    return ImportFault(line: record.line, column: 1, problem: problem)
  }
}
