#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension SQLiteStore {
  /// Runs units of work that read, and begin in a closure, on the current thread.
  ///
  /// Otherwise they run on a thread of the store, and waking that thread costs more than most
  /// reads. Use it on threads that may block, such as those of a server that is not built on
  /// Swift's tasks; never on Swift's own threads or an event loop.
  ///
  /// ```swift
  /// SQLiteStore.readingInPlace {
  ///   Task.immediate { answer(await handler.respond(to: request)) }
  /// }
  /// ```
  ///
  /// While another process is in the way, or no reader is free, they wait on the store's threads as
  /// usual. Work that the closure passes to other threads is not affected, nor is work that a task
  /// begins after its first suspension. A unit of work that awaits anything besides its records
  /// resumes on Swift's threads and would block them, so it should not.
  public static func readingInPlace<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try ReadingInPlace.allow(body)
  }
}

/// The mark of threads that may block.
enum ReadingInPlace {
  private static let mark: pthread_key_t? = {
    var key = pthread_key_t()
    return unsafe pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// Whether the current thread is marked.
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
