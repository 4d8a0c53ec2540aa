internal import CStorekeeperCurl

/// The exchanges under way; on the loop's thread only.
final class Transfers {
  private let multi: Multi
  private let certificateAuthorityFile: String?
  private var list: [ObjectIdentifier: Transfer] = [:]

  init(_ multi: Multi, certificateAuthorityFile: String?) {
    self.multi = multi
    self.certificateAuthorityFile = certificateAuthorityFile
  }

  var isEmpty: Bool { list.isEmpty }

  /// Begins an exchange, unless nobody waits for it.
  func begin(_ exchange: Exchange) {
    guard !exchange.isOver else { return }
    do throws(CurlFailure) {
      let transfer = try Transfer(
        exchange, certificateAuthorityFile: certificateAuthorityFile, sockets: multi.sockets)
      guard multi.add(transfer) else { throw CurlFailure(CURLE_FAILED_INIT) }
      list[ObjectIdentifier(exchange)] = transfer
    } catch {
      exchange.end(.failure(error.asNotConnected))
    }
  }

  /// Lets go of an exchange, if it has not ended.
  func drop(_ exchange: Exchange) {
    guard let transfer = list.removeValue(forKey: ObjectIdentifier(exchange)) else { return }
    multi.remove(transfer)
  }

  /// Does what can be done without waiting, and ends the exchanges that are done.
  func advance() -> Bool {
    guard multi.perform() else { return false }
    multi.forEachEnd { transfer, code in
      if transfer.hasMetStaleConnection {
        multi.remove(transfer)
        if transfer.beginAfresh(), multi.add(transfer) { return }
      }
      drop(transfer.exchange)
      transfer.end(code)
    }
    return true
  }

  /// Waits until something can be done, an order arrives or the time is up.
  func wait(_ time: Duration) -> Bool { multi.wait(time) }

  /// Ends all exchanges with a failure.
  func endAll(_ code: CURLcode) {
    for transfer in list.values {
      multi.remove(transfer)
      transfer.end(code)
    }
    list = [:]
  }
}
