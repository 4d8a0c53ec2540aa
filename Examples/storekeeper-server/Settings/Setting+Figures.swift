import HTTPMessages

// The settings of figures and traces, in the order of `--help`.

extension Setting {
  static let figures = [
    Setting(
      "metrics", "HOST:PORT",
      form: "HOST:PORT, such as 127.0.0.1:9464 or [::1]:9464; port 0 is a free one",
      """
      where GET /metrics is answered, for Prometheus; by default nowhere. Who
      can connect can ask, so let it be an address of your own network
      """
    ) { settings, value in
      let (host, port) = try value.address()
      settings.metrics = MetricsAddress(host: host, port: port)
    },
    Setting(
      "otlp", "URL", form: "https://… or http://…, such as http://127.0.0.1:4318",
      """
      a collector of OpenTelemetry, which gets figures at URL/v1/metrics and
      traces at URL/v1/traces; by default none
      """, isSecret: true
    ) { $0.otlpURL = try $1.url() },
    Setting(
      "otlp-token", "TEXT", form: "a bearer token of visible ASCII characters",
      """
      the bearer token that the collector is sent; better not as a flag,
      which others on the machine can read
      """, isSecret: true
    ) { $0.otlpToken = try $1.bearerToken() },
    Setting(
      "otlp-share", "PERCENT", form: "a number from 0 to 100",
      """
      the share of the traces that is sent; by default 10
      """
    ) { settings, value in
      settings.otlpShare = try value.number(atLeast: 0)
      guard settings.otlpShare <= 100 else { throw value.wrong(value.text) }
    },
    toggle(
      "trust-traceparent", \.trustsTraceparent,
      """
      whether a trace that a caller began is sent if its traceparent says so,
      whatever the share; only behind a proxy of yours that writes the field
      """),
  ]
}

/// An address at which figures are answered.
struct MetricsAddress {
  let host: String
  let port: UInt16
}
