/// What the copies of a transport share; with the last one the thread goes.
final class LoopOwner: Sendable {
  let loop: TransferLoop

  init(certificateAuthorities: String?) {
    loop = TransferLoop(certificateAuthorities: certificateAuthorities)
  }

  deinit { loop.end() }
}
