/// The tables of the credit rules as Markdown, each row decided anew.
enum RuleTables {
  static var markdown: String {
    """
    # Credits of purchases and refunds

    A pack of 60 credits is verified by user u1, whose balance is 100. Transactions are signed by Apple
    and about this pack. The rows of other products or apps are of u1, too.

    ## Account tokens

    | token in the request | token in the JWS | host's token for the user | decision | reason |
    | --- | --- | --- | --- | --- |
    \(TokenRow.all.map(\.markdown).joined(separator: "\n"))

    ## Stored transactions

    | row | purchase | identity's starter pack | decision | code |
    | --- | --- | --- | --- | --- |
    \(StoredRow.all.map(\.markdown).joined(separator: "\n"))

    ## Notifications

    Of what was given, 25 credits are left; an open refund took 25.

    | type | row | outcome | row afterwards | refund round | amount | event |
    | --- | --- | --- | --- | --- | --- | --- |
    \(NewsRow.all.map(\.markdown).joined(separator: "\n"))

    """
  }

  static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
