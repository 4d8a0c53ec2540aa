/// What the copies of a transport share; with the last one the thread goes.
final class LoopOwner: Sendable {
  let loop: TransferLoop

  init(certificateAuthorityFile: String?) {
    // Should it fail, the first exchange says so.
    _ = Multi.setUpLibrary()
    loop = TransferLoop(certificateAuthorityFile: certificateAuthorityFile)
  }

  deinit { loop.end() }
}
