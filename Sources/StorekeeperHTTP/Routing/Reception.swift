/// The parts that all requests of an API have in common: who observes them, and their clock and IDs.
struct Reception: Sendable {
  let observer: any RequestObserver
  let clock: any Clock<Duration>
  let requestID: @Sendable () -> String
}
