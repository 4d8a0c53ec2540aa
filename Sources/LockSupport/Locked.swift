#if TSAN
  #if canImport(Glibc)
    internal import Glibc
  #else
    internal import Darwin
  #endif

  /// The same as below, round a lock that ThreadSanitizer knows: `Mutex` waits on a futex in a
  /// library that is not instrumented, so correct code would be reported.
  @safe
  package struct Locked<Value>: ~Copyable, @unchecked Sendable {
    // Sendable because every access to the value is between lock and unlock.
    private let value: UnsafeMutablePointer<Value>
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init(_ value: consuming sending Value) {
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

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      unsafe pthread_mutex_lock(mutex)
      defer { unsafe pthread_mutex_unlock(mutex) }
      return unsafe try body(&value.pointee)
    }
  }
#else
  package import Synchronization

  /// A value behind a lock that is held for a few instructions, never across `await`.
  @frozen
  package struct Locked<Value>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>

    @inlinable
    package init(_ value: consuming sending Value) {
      mutex = Mutex(value)
    }

    @inlinable
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      try mutex.withLock(body)
    }
  }
#endif
