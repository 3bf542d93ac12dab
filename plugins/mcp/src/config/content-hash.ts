import { createHash } from "node:crypto"
import { canonicalJSON, type JSONValue } from "@pawl/core/tool"
import type { ServerConfig } from "./server-config.ts"

/** Does not depend on the order of keys. */
export function contentHash(value: unknown): string {
  const plain = JSON.parse(JSON.stringify(value) ?? "null") as JSONValue
  return createHash("sha256").update(canonicalJSON(plain)).digest("hex")
}

/** Covers everything that decides what is started or reached, so not timeouts and `enabled`. */
export function startHash(written: object): string {
  const { enabled: _enabled, timeout: _timeout, timeouts: _timeouts, ...rest } = written as Record<string, unknown>
  return contentHash(rest)
}

/** Connections are shared if configuration, credentials and directory are the same. */
export function connectionHash(config: ServerConfig, directory: string): string {
  const { enabled: _enabled, ...rest } = config
  return contentHash({ ...rest, directory })
}
