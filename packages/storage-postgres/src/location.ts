import { StorageError } from "@pawl/core/storage"
import type { PostgresStorageOptions } from "./options.ts"

const EXAMPLE = 'Write "postgres://user:password@host:5432/database".'

/** A URL for PostgreSQL's client, and one to show, without password and parameters. */
export interface Location {
  readonly url: string
  readonly name: string
}

export function parseLocation(text: string): Location {
  const url = parseURL(text)
  // With this parameter, `sslmode` has libpq's meaning. Without it, the client checks certificates in every mode.
  if (url.searchParams.has("sslmode") && !url.searchParams.has("uselibpqcompat")) {
    url.searchParams.set("uselibpqcompat", "true")
  }
  return { url: url.href, name: nameOf(url) }
}

/**
 * Removes pawl's own parameters from a URL: `schema`, `pool_size`, `listen` and `prepared_statements`, and
 * `connect_timeout`, which PostgreSQL's client ignores. 0 means no limit.
 */
export function parseOptions(text: string): PostgresStorageOptions {
  const url = parseURL(text)
  const take = (name: string) => {
    const value = url.searchParams.get(name)
    url.searchParams.delete(name)
    return value
  }
  const [schema, poolSize, listen, prepared] = ["schema", "pool_size", "listen", "prepared_statements"].map(take)
  const seconds = url.searchParams.get("connect_timeout")
  if (poolSize && !/^[1-9]\d{0,3}$/.test(poolSize)) throw invalid("pool_size", poolSize, "a number of connections")
  if (prepared && !["true", "false"].includes(prepared)) throw invalid("prepared_statements", prepared, "true or false")
  if (seconds && !/^\d{1,4}$/.test(seconds)) throw invalid("connect_timeout", seconds, "a number of seconds")
  return {
    url: url.href,
    ...(seconds && { openTimeout: Number(seconds) * 1000 || Number.POSITIVE_INFINITY }),
    ...(schema && { schema }),
    ...(poolSize && { poolSize: Number(poolSize) }),
    ...(listen && { listenURL: listen === "off" ? false : listen }),
    ...(prepared && { preparedStatements: prepared === "true" }),
  }
}

function parseURL(text: string): URL {
  const url = URL.parse(text)
  if (!url || !["postgres:", "postgresql:"].includes(url.protocol)) {
    throw new StorageError(`"${withoutPassword(text)}" is not the URL of a PostgreSQL database. ${EXAMPLE}`)
  }
  if (url.hostname === "" && !url.searchParams.has("host")) {
    throw new StorageError(`"${withoutPassword(text)}" names no host. ${EXAMPLE}`)
  }
  return url
}

function nameOf(url: URL): string {
  const host = url.hostname === "" ? (url.searchParams.get("host") ?? "") : url.host
  const user = url.username === "" ? "" : `${url.username}@`
  return `postgres://${user}${host}${url.pathname}`
}

/**
 * Returns only the beginning of an invalid URL and the text after its last @, since the password may be anywhere else.
 */
function withoutPassword(text: string): string {
  const [address = ""] = text.split("?", 1)
  const [start = ""] = address.split(/[:@=]/, 1)
  return start === text ? text : `${start}:…${address.includes("@") ? address.slice(address.lastIndexOf("@")) : ""}`
}

function invalid(name: string, value: string, right: string): StorageError {
  return new StorageError(`The parameter ${name}=${value} of the storage's URL is not ${right}.`)
}
