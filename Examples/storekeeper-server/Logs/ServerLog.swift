import LinkPolicy
import JWSVerifier
import ReceiptModels
import Storekeeper

/// What the server tells besides requests, on standard error.
enum ServerLog {
  static func note(_ event: StaticString, _ members: (StaticString, LogLine.Value)...) {
    var line = LogLine()
    line.add("event", .text("\(event)"))
    for (name, value) in members { line.add(name, value) }
    Output.error.write(line)
  }

  /// Trouble that fails no request.
  static func note(_ incident: ServiceIncident) {
    switch incident {
    case .receiptCacheUnreadable(let error):
      note("receipt cache unreadable", ("error", .text(SafeText.of(error))))
    case .receiptCacheUnwritable(let error):
      note("receipt cache unwritable", ("error", .text(SafeText.of(error))))
    case .receiptCacheRefused: note("receipt cache refused")
    case .deliveryFailed(let error):
      note("delivery failed", ("error", .text(SafeText.of(error))))
    case .notificationNotDecoded(let path):
      note("notification not decoded", ("path", .text(path)))
    case .signedDataRefused(let failure):
      note(
        "signed data refused", ("reason", .text(failure.name)),
        ("path", .text(failure.undecodedPath ?? "")))
    case .signedDataNotRecorded(let reason):
      note("signed data not recorded", ("reason", .text("\(reason)")))
    case .refreshFailed(let reason): note("refresh failed", ("reason", .text(reason)))
    case .unknownValue(let field):
      note("unknown value in a membership", ("field", .text(field.rawValue)))
    }
  }
}
