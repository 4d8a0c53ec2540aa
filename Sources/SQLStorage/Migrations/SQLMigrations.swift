/// The steps of all versions so far.
public enum SQLMigrations {
  /// In order of their numbers; new ones are added at the end.
  public static let all: [SQLMigration] = [
    SQLMigration(number: 1, name: "subscriptions and memberships") { dialect in
      let types = SQLTypes(dialect)
      return evidenceTables(types) + subscriptionTables(types) + membershipTables(types)
        + jobTables(types)
    },
    SQLMigration(number: 2, name: "stamps of whole answers") { answerStamps(SQLTypes($0)) },
    SQLMigration(number: 3, name: "age of evidence") { retention(SQLTypes($0)) },
    SQLMigration(number: 4, name: "notifications that were not decoded") { dialect in
      [undecoded(SQLTypes(dialect))]
    },
  ]
}
