package import ReceiptModels

extension [RenewalRecord] {
  /// The renewals without those that another one of the same product follows.
  ///
  /// Products are compared byte by byte; renewals without a product all stay.
  package var lastOfEachProduct: [RenewalRecord] {
    var seen: Set<[UInt8]> = []
    let kept = reversed().filter { renewal in
      renewal.productID.map { seen.insert([UInt8]($0.utf8)).inserted } ?? true
    }
    return kept.reversed()
  }
}
