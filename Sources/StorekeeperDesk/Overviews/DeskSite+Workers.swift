internal import HTTPMessages
internal import PurchaseStorage
internal import StorekeeperHTTP

extension DeskSite {
  /// The jobs that walk in steps: where each stands, and who works on it until when.
  func workers(_ request: PageRequest, _ session: DeskSession) async throws -> HTTPResponseMessage {
    let jobs = try await desk.read { try await $0.jobs.jobs(limit: HeldPurchase.pageSize) }
    let now = desk.now()
    return DeskPage(self, DeskText.workers, for: session) {
      p { DeskText.asOf(now) }
      DeskTable(
        DeskText.workers, [DeskText.job, DeskText.place, DeskText.lease, DeskText.lastStep]
      ) {
        for job in jobs {
          let isLost = job.leaseEnd.map { $0 <= now } ?? false
          tr(isLost ? [.class("trouble")] : []) {
            td { job.job }
            td { job.place ?? "" }
            td { DeskText.lease(job.leaseEnd, at: now) }
            td { moment(job.changedDate) }
          }
        }
      }.markup
    }.response()
  }
}
