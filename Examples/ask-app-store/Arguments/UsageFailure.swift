/// An error in the command line.
struct UsageFailure: Error {
  var message: String

  init(_ message: String) { self.message = message }
}
