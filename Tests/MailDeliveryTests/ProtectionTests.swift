import Foundation
import MailDelivery
import Storekeeper
import Testing

@Suite("TLS and logins of a mail server", .timeLimit(.minutes(30)))
struct ProtectionTests {
  private func server(
    _ process: MailServerProcess, _ security: MailServer.Security, host: String = "localhost",
    trusts: Bool = true, user: String? = nil, password: String? = nil
  ) throws -> MailServer {
    var server = try MailServer(
      host: host, port: process.port, security: security, user: user, password: password)
    if trusts { server.certificateAuthorityFile = "\(process.folder)/certificate.pem" }
    return server
  }

  private func report(
    _ process: MailServerProcess, _ server: MailServer
  ) async throws -> (OutboxDelivery.Report, [String]) {
    let scene = MailScene()
    try await scene.add("ann")
    let report = try await scene.delivery(try process.mailer(server)).deliverDue()
    return (report, scene.incidents)
  }

  private static let certificate = [
    "--certificate", "FOLDER/certificate.pem", "--key", "FOLDER/key.pem",
  ]

  @Test("STARTTLS and TLS from the beginning carry the e-mail and the login")
  func protected() async throws {
    let login = ["--user", "news", "--password", "pass:wörd"]
    for (security, options) in [
      (MailServer.Security.startTLS, Self.certificate + login),
      (.tls, Self.certificate + login + ["--implicit-tls"]),
    ] {
      let process = try MailServerProcess(options)
      let (report, incidents) = try await report(
        process, try server(process, security, user: "news", password: "pass:wörd"))
      #expect(report == OutboxDelivery.Report(delivered: 1), "\(incidents)")
      let mails = try process.mails
      #expect(mails.map(\.tls) == [true])
      #expect(mails.map(\.user) == ["news"])
    }
  }

  @Test("a server that offers no STARTTLS gets nothing, not even the login")
  func notOffered() async throws {
    let process = try MailServerProcess("--user", "news", "--password", "secret")
    let (report, incidents) = try await report(
      process, try server(process, .startTLS, trusts: false, user: "news", password: "secret"))
    #expect(report == OutboxDelivery.Report(postponed: 1))
    #expect(incidents.first?.contains("no STARTTLS") == true)
    #expect(try process.mails.isEmpty)
  }

  @Test("a certificate of a stranger, or for another name, is not trusted")
  func untrusted() async throws {
    for security in [MailServer.Security.startTLS, .tls] {
      let process = try MailServerProcess(
        Self.certificate + (security == .tls ? ["--implicit-tls"] : []))
      for server in [
        try server(process, security, trusts: false),
        // The certificate is for localhost and 127.0.0.1.
        try server(process, security, host: "127.0.0.2"),
      ] {
        var server = server
        server.timeLimit = .seconds(20)
        let (report, incidents) = try await report(process, server)
        #expect(report == OutboxDelivery.Report(postponed: 1))
        #expect(
          incidents.first?.contains("certificate is not trusted") == true
            || server.host == "127.0.0.2" && incidents.first?.contains("no connection") == true,
          "\(incidents)")
      }
      #expect(try process.mails.isEmpty)
    }
  }

  @Test("a wrong password postpones, and neither log nor failure tells it")
  func wrongPassword() async throws {
    let process = try MailServerProcess(
      Self.certificate + ["--user", "news", "--password", "secret"])
    let server = try server(process, .startTLS, user: "news", password: "another-secret")
    let (report, incidents) = try await report(process, server)
    #expect(report == OutboxDelivery.Report(postponed: 1))
    #expect(incidents.first?.contains("refused user and password") == true, "\(incidents)")
    #expect(!incidents.joined().contains("another-secret"))
    var dumped = ""
    dump(server, to: &dumped)
    #expect(!"\(server) \(dumped)".contains("another-secret"))
  }
}

extension MailServerProcess {
  convenience init(_ options: [String]) throws { try self.init(list: options) }
}
