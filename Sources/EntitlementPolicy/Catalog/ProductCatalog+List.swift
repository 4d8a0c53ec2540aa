extension ProductCatalog {
  /// Loads and expands a product list.
  ///
  /// - Parameter json: The list in UTF-8, without byte-order mark.
  /// - Throws: ``ProductListFailure`` for the first fault.
  public init(json: [UInt8]) throws(ProductListFailure) {
    let list = try ExpandedList(try ProductListReader(json))
    let logs = list.logs
    self.init(
      products: list.products, warnings: WarningLog.merged(logs),
      warningCount: logs.reduce(0) { $0 + $1.count })
  }
}
