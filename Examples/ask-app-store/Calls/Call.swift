/// A call that can be named on the command line.
struct Call: Sendable {
  /// The arguments and options of the call, for people.
  let form: String
  let count: ClosedRange<Int>
  /// Asks, and prints the answer.
  let ask: @Sendable (Question) async throws -> Void

  init(
    _ form: String, _ count: ClosedRange<Int>,
    ask: @escaping @Sendable (Question) async throws -> Void
  ) {
    self.form = form
    self.count = count
    self.ask = ask
  }

  init(_ form: String, _ count: Int, ask: @escaping @Sendable (Question) async throws -> Void) {
    self.init(form, count...count, ask: ask)
  }

  /// The options of the call: those that its form names.
  var options: Set<String> {
    Set(form.split { " []".contains($0) }.filter { $0.hasPrefix("--") }.map(String.init))
  }

  /// All calls by their names.
  static let all = [
    purchases, orders, extensions, notifications, messages, defaults, advancedCommerce,
    externalPurchases, groups,
  ].reduce(into: [:]) { all, some in all.merge(some) { $1 } }
}
