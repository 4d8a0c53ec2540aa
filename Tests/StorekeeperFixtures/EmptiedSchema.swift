/// A schema in PostgreSQL, or a database in MariaDB, whose tables one test leaves to the next, because making tables
/// takes longer than most tests.
public enum EmptiedSchema {
  /// A query for the statements that do so in MariaDB; numbers begin again.
  public static let statementsInMariaDB = """
    SELECT CASE WHEN auto_increment > 1 THEN 'TRUNCATE TABLE ' ELSE 'DELETE FROM ' END || table_name
    FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'
      AND table_name NOT IN ('storekeeper_migration', 'subscription_levels_lock')
    """

  /// A statement that deletes the rows of all tables in the current schema, except those about migrations, and
  /// lets all sequences begin again.
  public static let statement = """
    DO $$
    DECLARE item text;
    BEGIN
      FOR item IN SELECT tablename FROM pg_tables
        WHERE schemaname = current_schema() AND tablename <> 'storekeeper_migration'
      LOOP
        EXECUTE format('DELETE FROM %I', item);
      END LOOP;
      FOR item IN SELECT sequencename FROM pg_sequences WHERE schemaname = current_schema()
      LOOP
        PERFORM setval(format('%I', item)::regclass, 1, false);
      END LOOP;
    END $$
    """
}
