export interface PostgresStorageOptions {
  /** `postgres://user:password@host:5432/database?sslmode=require`. Supports poolers in statement or transaction mode. */
  readonly url: string
  /**
   * The URL for listening to commits of other processes, which must reach the server itself. Default: `url`. False: no
   * listening, only polling.
   */
  readonly listenURL?: string | false
  /** The schema of the tables, created if missing. Default: `pawl`. */
  readonly schema?: string
  /** Maximum number of connections, without the listening one. Default: 8. */
  readonly poolSize?: number
  /** How often watchers poll without a listener, in milliseconds. Default: 500. */
  readonly pollInterval?: number
  /** How long to retry a call while the server cannot be reached, in milliseconds. Default: 20,000. */
  readonly retryTimeout?: number
  /**
   * How long to retry opening while the server's address does not answer, in milliseconds, up to `retryTimeout`. Default:
   * 10,000. Waits for a starting server until `retryTimeout`.
   */
  readonly openTimeout?: number
  /** Called once when opening has to wait for the server. */
  readonly onNotice?: ((message: string) => void) | undefined
  /** Maximum time of a statement, in milliseconds. Default: 30,000. */
  readonly statementTimeout?: number
  /** Prepares statements once per connection. Faster, for direct connections and poolers that support it. Default: false. */
  readonly preparedStatements?: boolean
  /** Shown in `pg_stat_activity`. Default: `pawl`. */
  readonly applicationName?: string
}
