// The settings of orders, in the order of `--help`.

extension Setting {
  static let orders = [
    levels,
    Setting(
      "min-revalidation-interval", "SECONDS", form: "a number of seconds, from 0 upwards",
      """
      how long an answer of the vendor is enough at a login; by default 0,
      which asks each time
      """, part: .orders
    ) { settings, value in
      guard let seconds = Int(value.text), seconds >= 0 else { throw value.wrong(value.text) }
      settings.minRevalidationInterval = seconds
    },
  ]

  static let levels = Setting(
    "levels", "FILE", form: "a JSON file with subscription levels",
    """
    the subscription levels, a JSON array; SIGHUP reads it again
    """, part: .orders, neededBy: .orders
  ) { $0.levels = try LevelsFile($1.text) }
}
