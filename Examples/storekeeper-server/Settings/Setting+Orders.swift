// The settings of orders, in the order of `--help`.

extension Setting {
  static let orders = [
    levels,
    Setting(
      "order-environment", "NAME", .list, form: "auto, or Production or Sandbox",
      """
      whose purchases may be ordered: Production (the default), Sandbox, for
      Google the purchases of license testers, or auto for both; a list
      """, part: .orders
    ) { $0.orderEnvironments = try $1.environmentsOrAuto() },
    Setting(
      "min-revalidation-interval", "SECONDS", form: "a number of seconds, from 0 upwards",
      """
      how long an answer of the vendor is enough at a login; by default 0,
      which asks each time
      """, part: .orders
    ) { $0.minRevalidationInterval = try $1.number(atLeast: 0) },
    googleServiceAccount,
    Setting(
      "google-package", "NAME", form: "the package name of an app, such as com.example.snips",
      "the app in Google Play; needed with the account", part: .orders, or: .credits, .entitlements
    ) { $0.googlePackage = $1.text },
    Setting(
      "google-app", "BUNDLE", form: "the bundle ID of one of the apps of --catalog",
      """
      the app of --catalog that the package is; by default the one with the
      same name, or the only one
      """, part: .entitlements
    ) { $0.googleApp = $1.text },
    Setting(
      "google-push-audience", "TEXT", form: "the audience of a push subscription",
      """
      the audience of Google's notifications, by default of Pub/Sub the URL
      that it posts to, which ends in /api/v1/webhook/google or, for credits,
      in /api/v1/payments/google/notifications
      """, part: .orders, or: .credits, .entitlements
    ) { $0.googlePushAudience = $1.text },
    Setting(
      "google-push-email", "EMAIL", form: "the e-mail address of a service account",
      "the service account that pushes them; needed with the audience", part: .orders, or: .credits,
      .entitlements
    ) { $0.googlePushEmail = $1.text },
    Setting(
      "google-voided-interval", "SECONDS",
      form: "a number of seconds, or 0 for only at the start",
      """
      how often Google's list of voided purchases is read, besides at the
      start, for refunds that no notification told of; by default 3600,
      and 0 for only at the start
      """, part: .orders, or: .credits, .entitlements
    ) { $0.googleVoidedInterval = try $1.number(atLeast: 0) },
    Setting(
      "google-refund-review", "FILE",
      form: "a file with Google's OrdersReviewRefundRequest in JSON, without a token",
      """
      the answer to every question of Google's about a chargeback, an
      example; by default the desk answers, if there is one, and otherwise
      nothing is sent
      """, part: .orders, or: .credits, .entitlements
    ) { $0.refundReview = try $1.refundReview() },
  ]

  static let googleServiceAccount = Setting(
    "google-service-account", "FILE", form: "the key file of a service account of Google Cloud",
    """
    the key file of the service account that asks Google Play, in JSON;
    without one, purchases of Google are refused
    """, part: .orders, or: .credits, .entitlements, isSecret: true
  ) { $0.googleServiceAccountFile = $1.text }

  static let googleTests = [
    Setting(
      "google-play-url", "URL", form: "https://…, or http://… with --allow-test-root",
      "what answers in place of Google, also for its public keys", part: .orders, or: .credits,
      .entitlements,
      isSecret: true
    ) { $0.googlePlayURL = try $1.url() }
  ]

  static let levels = Setting(
    "levels", "FILE", form: "a JSON file with subscription levels",
    """
    the subscription levels, a JSON array; SIGHUP reads it again
    """, part: .orders, neededBy: .orders
  ) { $0.levels = try LevelsFile($1.text) }
}
