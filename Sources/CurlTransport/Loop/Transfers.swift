internal import CStorekeeperCurl

/// The exchanges under way, used only on the loop's thread.
final class Transfers {
  private let multi: Multi
  private let settings: TransferSettings
  private var list: [ObjectIdentifier: Transfer] = [:]

  init(_ multi: Multi, settings: TransferSettings) {
    self.multi = multi
    self.settings = settings
  }

  var isEmpty: Bool { list.isEmpty }

  /// Begins an exchange, unless it has ended.
  func begin(_ exchange: Exchange) {
    guard !exchange.isOver else { return }
    do throws(CurlFailure) {
      let transfer = try Transfer(
        exchange, settings: settings, sockets: multi.sockets)
      guard multi.add(transfer) else { throw CurlFailure(CURLE_FAILED_INIT) }
      list[ObjectIdentifier(exchange)] = transfer
    } catch {
      exchange.end(.failure(error.asNotConnected))
    }
  }

  /// Releases an exchange, if its transfer has not ended.
  func drop(_ exchange: Exchange) {
    guard let transfer = list.removeValue(forKey: ObjectIdentifier(exchange)) else { return }
    multi.remove(transfer)
  }

  /// Advances all transfers without waiting, and ends the completed exchanges.
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

  /// Waits until a transfer can advance or an order arrives, up to a time limit.
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
