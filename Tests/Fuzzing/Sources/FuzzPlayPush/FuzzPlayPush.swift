import GooglePlayVerifier
import JSONValues

/// Fuzzes what Pub/Sub pushes, and others may: the envelope and the notification in it.
///
/// Nothing crashes, and what was read survives a round trip.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPlayPush(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let push = try? PubSubPush(parsing: bytes) {
    precondition(!push.messageID.isEmpty && push.data.count <= bytes.count, "another message")
    if let notification = try? push.notification() { check(notification) }
  }
  if let notification = try? DeveloperNotification(parsing: bytes) { check(notification) }
  return 0
}

private func check(_ notification: DeveloperNotification) {
  precondition(
    (try? DeveloperNotification(json: notification.json)) == notification, "a member was lost")
  precondition(notification.purchaseToken != "", "an empty token")
  precondition(!notification.description.isEmpty, "no description")
}
