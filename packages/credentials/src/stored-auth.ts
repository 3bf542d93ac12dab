import type { StoredAuth } from "@pawl/core/provider"

type Fields = Readonly<Record<string, unknown>>

/** Returns an entry of the file. Undefined if its form is unknown. */
export function storedAuth(value: unknown): StoredAuth | undefined {
  return isStored(value) ? value : undefined
}

function isStored(value: unknown): value is StoredAuth {
  if (typeof value !== "object" || value === null) return false
  const { type, key, token, refresh, access, expires } = value as Fields
  if (type === "api") return isText(key)
  if (type === "wellknown") return isText(key) && isText(token)
  return type === "oauth" && isText(refresh) && isText(access) && Number.isFinite(expires)
}

function isText(value: unknown): value is string {
  return typeof value === "string"
}

/** Returns the secrets of the credentials, with a name for each. */
export function secretsOf(id: string, auth: StoredAuth): (readonly [value: string, name: string])[] {
  if (auth.type === "api") return [[auth.key, `auth.${id}.key`]]
  if (auth.type === "wellknown") return [[auth.token, `auth.${id}.token`]]
  return [
    [auth.access, `auth.${id}.access`],
    [auth.refresh, `auth.${id}.refresh`],
  ]
}
