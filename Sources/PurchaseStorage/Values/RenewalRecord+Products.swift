package import ReceiptModels

extension [RenewalRecord] {
  /// The last renewal of each product.
  ///
  /// Products are compared byte by byte; all renewals without a product stay.
  package var lastOfEachProduct: [RenewalRecord] {
    var seen: Set<[UInt8]> = []
    let kept = reversed().filter { renewal in
      renewal.productID.map { seen.insert([UInt8]($0.utf8)).inserted } ?? true
    }
    return kept.reversed()
  }
}
