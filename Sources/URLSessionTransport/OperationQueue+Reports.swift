internal import Foundation

extension OperationQueue {
  /// Where URLSession reports to its delegate, or nil for a queue of its own.
  static var forReports: OperationQueue? {
    #if canImport(FoundationNetworking)
      InlineQueue()
    #else
      nil
    #endif
  }
}

#if canImport(FoundationNetworking)
  /// Runs each report where it is made.
  ///
  /// On a queue that runs it later, pieces of a body pile up as fast as the server sends them, and
  /// the end that the delegate asks for waits behind them: gigabytes, with a limit of some bytes.
  /// Reports must not wait for URLSession, whose own queue they run on.
  private final class InlineQueue: OperationQueue, @unchecked Sendable {
    // Sendable because it adds nothing to its superclass, which is.
    override func addOperation(_ report: @escaping @Sendable () -> Void) { report() }
  }
#endif
