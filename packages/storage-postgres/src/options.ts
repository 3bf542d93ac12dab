export interface PostgresStorageOptions {
  /** `postgres://user:password@host:5432/database?sslmode=require`. Supports poolers in statement or transaction mode. */
  readonly url: string
  /**
   * The URL of the connection that listens to commits of other processes. It must reach the server itself, not a
   * pooler. Default: `url`. False: only poll.
   */
  readonly listenURL?: string | false
  /** The schema of the tables, created if missing. Default: `pawl`. */
  readonly schema?: string
  /** Maximum number of connections in addition to the listening one. Default: 8. */
  readonly poolSize?: number
  /** Interval at which watchers poll without a listener, in milliseconds. Default: 500. */
  readonly pollInterval?: number
  /** Maximum time to retry a call while the server cannot be reached, in milliseconds. Default: 20,000. */
  readonly retryTimeout?: number
  /**
   * Maximum time to retry opening while the server's address does not answer, in milliseconds, up to `retryTimeout`.
   * Default: 10,000. If the server answers that it is starting, retries until `retryTimeout`.
   */
  readonly openTimeout?: number
  /** Called once when opening has to wait for the server. */
  readonly onNotice?: ((message: string) => void) | undefined
  /** Maximum time of a statement, in milliseconds. Default: 30,000. */
  readonly statementTimeout?: number
  /**
   * Prepares statements once per connection, which is faster. Requires a direct connection, or a pooler that supports
   * it. Default: false.
   */
  readonly preparedStatements?: boolean
  /** Shown in `pg_stat_activity`. Default: `pawl`. */
  readonly applicationName?: string
}
