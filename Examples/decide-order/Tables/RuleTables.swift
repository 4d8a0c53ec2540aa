/// The tables of the rules of orders as Markdown, each row decided anew.
enum RuleTables {
  static var markdown: String {
    """
    # Orders

    User u1 orders with a purchase of the level Pro that ends at noon of day 10; it is noon of day 0.

    ## A purchase that gives a subscription

    The older purchase is the one that the vendor says the new one replaced.

    | stored | owner of the purchase | owner of the older purchase | decision | code |
    | --- | --- | --- | --- | --- |
    \(PurchaseRow.all.map(\.markdown).joined(separator: "\n"))

    ## A vendor that refuses, or says nothing

    The purchase of the order is the stored one, or another.

    | answer | order with the stored purchase | order with another purchase | login |
    | --- | --- | --- | --- |
    \(FailureRow.all.map(\.markdown).joined(separator: "\n"))

    """
  }

  static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
