#if TSAN
  #if canImport(Glibc)
    internal import Glibc
  #else
    internal import Darwin
  #endif

  /// The same as below, round a lock that ThreadSanitizer knows: `Mutex` waits on a futex in a
  /// library that is not instrumented, so correct code would be reported.
  @safe
  public struct Locked<Value>: ~Copyable, @unchecked Sendable {
    // Sendable because every access to the value is between lock and unlock.
    private let value: UnsafeMutablePointer<Value>
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// A lock round a value.
    public init(_ value: consuming sending Value) {
      unsafe self.value = .allocate(capacity: 1)
      unsafe self.value.initialize(to: value)
      unsafe mutex = .allocate(capacity: 1)
      unsafe mutex.initialize(to: pthread_mutex_t())
      unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
      unsafe pthread_mutex_destroy(mutex)
      unsafe mutex.deallocate()
      unsafe value.deinitialize(count: 1)
      unsafe value.deallocate()
    }

    /// Calls a closure with the value while nobody else has it.
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      unsafe pthread_mutex_lock(mutex)
      defer { unsafe pthread_mutex_unlock(mutex) }
      return unsafe try body(&value.pointee)
    }
  }
#else
  public import Synchronization

  /// A value behind a lock that is held for a few instructions, never across `await`.
  ///
  /// Public, though of no product: what has `package` access is not inlined in other modules.
  @frozen
  public struct Locked<Value>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>

    /// A lock round a value.
    @inlinable
    public init(_ value: consuming sending Value) {
      mutex = Mutex(value)
    }

    /// Calls a closure with the value while nobody else has it.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      try mutex.withLock(body)
    }
  }
#endif
