#if TSAN
  #if canImport(Glibc)
    internal import Glibc
  #else
    internal import Darwin
  #endif

  /// A value behind a lock that ThreadSanitizer understands.
  ///
  /// `Mutex` waits on a futex in a library that is not instrumented, so ThreadSanitizer would
  /// report correct code.
  @safe
  public struct Locked<Value>: ~Copyable, @unchecked Sendable {
    // Sendable because every access to the value is between lock and unlock.
    private let value: UnsafeMutablePointer<Value>
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Creates a lock around a value.
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

    /// Calls a closure with exclusive access to the value.
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
  /// The type is public although it belongs to no product, because declarations with `package`
  /// access are not inlined in other modules.
  @frozen
  public struct Locked<Value>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>

    /// Creates a lock around a value.
    @inlinable
    public init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Calls a closure with exclusive access to the value.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      try mutex.withLock(body)
    }
  }
#endif
