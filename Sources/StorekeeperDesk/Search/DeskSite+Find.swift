internal import HTTPMessages
internal import ReceiptModels
internal import Storekeeper
internal import StorekeeperHTTP

extension DeskSite {
  /// Finds what a customer told; it comes in a form, as it may be an address or a purchase token, so that no log has it.
  func find(_ request: PageRequest, _ session: DeskSession) async throws -> HTTPResponseMessage {
    guard request.isFromOwnPage, let text = request.form()?["q"], text.utf8.count <= 4096 else {
      return failurePage(.badRequest)
    }
    return answer(try await desk.search(text), session)
  }

  /// Finds what a pasted receipt or signed transaction shows; it comes in a form, so that no log has it.
  func pasted(_ request: PageRequest, _ session: DeskSession) async throws -> HTTPResponseMessage {
    guard request.isFromOwnPage, let text = request.form()?["evidence"] else {
      return failurePage(.badRequest)
    }
    do {
      return answer(try await desk.search(evidence: text), session)
    } catch let failure as EvidenceFailure {
      return DeskPage(self, DeskText.find, for: session) {
        p(.class("alert"), Attribute("role", "alert")) { DeskText.notProven("\(failure)") }
      }.response()
    }
  }

  private func answer(_ found: DeskSearch, _ session: DeskSession) -> HTTPResponseMessage {
    if let account = found.onlyAccount { return redirect(to: link("/customers", account.rawValue)) }
    return DeskPage(self, DeskText.find, for: session) {
      if found.isAppleSilent { p(.class("alert")) { DeskText.appleSilent } }
      if found.isEmpty { p { DeskText.nothingFound } }
      ul {
        for account in found.accounts {
          li {
            a(.href(link("/customers", account.rawValue))) {
              "\(DeskText.account) \(account.rawValue)"
            }
          }
        }
        for purchase in found.purchases {
          li {
            a(.href(purchaseLink(purchase.id, purchase.environment))) {
              "\(DeskText.purchase) \(purchase.id)"
            }
            for owner in purchase.owners {
              " · "
              a(.href(link("/customers", owner.rawValue))) {
                "\(DeskText.account) \(owner.rawValue)"
              }
            }
          }
        }
      }
    }.response()
  }
}
