export interface PostgresStorageOptions {
  /** `postgres://user:password@host:5432/database?sslmode=require`. A pooler in statement or transaction mode will do. */
  readonly url: string
  /**
   * The URL of the one connection that listens for commits of other processes; it must reach the server itself. Default:
   * `url`. False: none, and others' commits are found by looking for them.
   */
  readonly listenURL?: string | false
  /** The schema that holds the tables; made when missing. Default: `pawl`. */
  readonly schema?: string
  /** Connections at most, without the one that listens. Default: 8. */
  readonly poolSize?: number
  /** How often watchers look for commits when nothing listens, in milliseconds. Default: 500. */
  readonly pollInterval?: number
  /** For how long a call is tried again while the server cannot be reached, in milliseconds. Default: 20,000. */
  readonly retryTimeout?: number
  /**
   * For how long opening is tried again while nothing answers at the server's address, in milliseconds, up to
   * `retryTimeout`. Default: 10,000. A server that says that it is starting is waited for until `retryTimeout`.
   */
  readonly openTimeout?: number
  /** Called once when opening has to wait for the server. */
  readonly onNotice?: ((message: string) => void) | undefined
  /** When a statement is given up, in milliseconds. Default: 30,000. */
  readonly statementTimeout?: number
  /** Statements are prepared once per connection. Faster; for direct connections and poolers that know them. Default: false. */
  readonly preparedStatements?: boolean
  /** Told in `pg_stat_activity`. Default: `pawl`. */
  readonly applicationName?: string
}
