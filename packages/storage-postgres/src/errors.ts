import { StorageError } from "@pawl/core/storage"

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
interface ServerError extends Error {
  readonly code?: unknown
  readonly detail?: string
}

/**
 * Codes for a server that is starting, stopping, full or a temporary standby, and for a statement that it cancelled
 * because of a deadlock.
 */
const PASSING = new Set(["57P01", "57P02", "57P03", "57P05", "53300", "25006", "40001", "40P01"])

/** System error codes for a server that cannot be reached now. */
const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "EPIPE",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "EAI_AGAIN",
])

/** Messages, without a code, of the client for a connection that is lost or too slow. */
const LOST =
  /^(Connection terminated|Client (was closed|has encountered)|Query read timeout|timeout expired|timeout exceeded when trying)/

/** Returns true if the same statement may succeed soon. It may also have taken effect. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== undefined) return PASSING.has(code) || UNREACHABLE.has(code) || code.startsWith("08")
  return error instanceof Error && LOST.test(error.message)
}

/** Code of the server for a cancelled statement, on request or by its own limit. */
export const STATEMENT_CANCELLED = "57014"
const LOCK_NOT_AVAILABLE = "55P03"

/**
 * Returns true if the server cancelled the statement. Then it wrote nothing, and the same statement may succeed later.
 */
export function isGivenUp(error: unknown): boolean {
  return [STATEMENT_CANCELLED, LOCK_NOT_AVAILABLE].includes(codeOf(error) ?? "")
}

/** Returns true if the server did not answer: it may be restarting, or may not exist. */
export function isUnreachable(error: unknown): boolean {
  return UNREACHABLE.has(codeOf(error) ?? "")
}

/** Returns true if the server answered and is still running, so that the connection can be used again. */
export function leavesConnection(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !UNREACHABLE.has(code) && !/^(57P|08)/.test(code)
}

export function codeOf(error: unknown): string | undefined {
  const { code } = error as Partial<ServerError>
  return typeof code === "string" ? code : undefined
}

export function closedError(location: string): StorageError {
  return new StorageError(`The storage ${location} is closed. Open it again to go on.`)
}

/** The error for a statement that the server cancelled after `timeout` milliseconds. */
export function tooSlowError(location: string, timeout: number, cause: unknown): StorageError {
  const message =
    `${location} did not finish a statement within ${timeout / 1000} s, so it was given up and nothing was written. ` +
    "Another process may hold a lock, or the server is busy: run the same command again."
  return new StorageError(message, { cause })
}

/**
 * Converts an error of the server or the system to a StorageError with location and next step. Returns any other error
 * unchanged.
 */
export function toStorageError(error: unknown, location: string, waited?: number): Error {
  if (error instanceof StorageError) return error
  const code = codeOf(error)
  if (error instanceof Error && code === undefined && !isPassing(error) && !isTLS(error)) return error
  const message = error instanceof Error ? error.message || code || error.name : String(error)
  return new StorageError(`${location} ${explain(code, message, waited)}`, { cause: error })
}

function explain(code: string | undefined, message: string, waited: number | undefined): string {
  switch (code) {
    case "28P01":
      return "refused the password. Correct it in the URL, in PGPASSWORD, or in the password file."
    case "28000":
      return /no encryption|SSL off/.test(message)
        ? `wants an encrypted connection (${message}). Add ?sslmode=require to the URL.`
        : `does not let this user in (${message}). Check the user of the URL and the server's pg_hba.conf.`
    case "3D000":
      return `does not exist as a database (${message}). Create it with createdb, or correct the URL.`
    case "42501":
      return `does not give this user the right (${message}). Grant CREATE on the database, or all rights on the schema.`
    case "53100":
      return "has no space left on its disk. Free some and run the same command again; nothing was written."
    case "53200":
      return `ran out of memory (${message}). Give the server more, then run the same command again.`
    case "25006":
      return "takes no writes: it is a standby or set to read only. Use the URL of the primary server."
    case "53300":
      return "has no connection left. Lower pool_size, raise max_connections, or put a pooler before it."
    case "XX001":
    case "XX002":
      return `is damaged (${message}). Restore a backup, or see the server's log; nothing was written.`
    case "ENOTFOUND":
      return `cannot be found (${message}). Correct the host of the URL.`
    case STATEMENT_CANCELLED:
    case LOCK_NOT_AVAILABLE:
      return `gave a statement up (${message}); nothing was written. Another process may hold a lock, or the server's own limits are short: run the same command again.`
    case "42P01":
    case "3F000":
      return `lost pawl's tables while it was open (${message}). Open it again to create them, or restore a backup.`
  }
  if (isTLS({ message, code })) {
    return `could not be reached with encryption (${message}). Correct sslmode or sslrootcert in the URL.`
  }
  if (message.startsWith("Query read timeout")) {
    return "did not answer in time. Another process may hold a lock, or the server is busy: run the same command again."
  }
  const since = waited === undefined ? "" : ` for ${(waited / 1000).toFixed(0)} s`
  if (code === undefined || isPassing({ message, code })) {
    return `could not be reached${since} (${message}). Check that the server runs and the URL is right, then run the same command again.`
  }
  return `failed: ${message} (${code}).`
}

function isTLS({ message, code }: { readonly message: string; readonly code?: unknown }): boolean {
  return (
    /does not support SSL|self-signed|certificate/i.test(message) ||
    /CERT|TLS|SSL/.test(typeof code === "string" ? code : "")
  )
}
