#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension SQLiteStore {
  /// Lets units of work that read, and are begun in a closure, run on the present thread.
  ///
  /// Otherwise they run on a thread of the store's, and waking that costs more than most reads. For
  /// threads that may wait for the disk, such as those of a server that is not built on Swift's tasks;
  /// never for Swift's own or an event loop's.
  ///
  /// ```swift
  /// SQLiteStore.readingInPlace {
  ///   Task.immediate { answer(await handler.respond(to: request)) }
  /// }
  /// ```
  ///
  /// Where another process is in the way, or no reader is free, they wait as ever, away from here. What
  /// the closure passes to other threads is not meant, nor is what a task begins after it has waited for
  /// something else. A unit of work that itself waits for something besides its records goes on where the
  /// task does, which is on Swift's threads, and would block them; so it should not.
  ///
  /// - Parameter body: What begins units of work; it is called once.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public static func readingInPlace<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try ReadingInPlace.allow(body)
  }
}

/// The mark of threads that may wait for the disk.
enum ReadingInPlace {
  private static let mark: pthread_key_t? = {
    var key = pthread_key_t()
    return unsafe pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// Whether the present thread is marked.
  static var isAllowed: Bool {
    guard let mark else { return false }
    return unsafe pthread_getspecific(mark) != nil
  }

  static func allow<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let mark else { return try body() }
    let before = unsafe pthread_getspecific(mark)
    unsafe pthread_setspecific(mark, UnsafeRawPointer(bitPattern: 1))
    defer { unsafe pthread_setspecific(mark, before) }
    return try body()
  }
}
