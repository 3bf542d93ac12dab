import { createHash } from "node:crypto"
import { canonicalJSON, type JSONValue } from "@pawl/core/tool"
import type { ServerConfig } from "./server-config.ts"

/** The same for the same value, in whatever order its keys were written. */
export function contentHash(value: unknown): string {
  const plain = JSON.parse(JSON.stringify(value) ?? "null") as JSONValue
  return createHash("sha256").update(canonicalJSON(plain)).digest("hex")
}

/** Of all that decides what is started or reached. Deadlines and the switch do not. */
export function startHash(written: object): string {
  const { enabled: _enabled, timeout: _timeout, timeouts: _timeouts, ...rest } = written as Record<string, unknown>
  return contentHash(rest)
}

/** Connections are shared where this is the same: configuration, credentials in it, and place. */
export function connectionHash(config: ServerConfig, directory: string): string {
  const { enabled: _enabled, ...rest } = config
  return contentHash({ ...rest, directory })
}
