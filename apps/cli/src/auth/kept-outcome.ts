import type { AuthOutcome, StoredAuth } from "@pawl/core"

/** What is to be kept, and for which provider. */
export interface Credential {
  readonly providerID: string
  readonly auth: StoredAuth
}

/** What to keep of a way to sign in that has come to its end; undefined where it failed, or gave nothing to keep. */
export function keptOutcome(providerID: string, outcome: AuthOutcome): Credential | undefined {
  if (outcome.type !== "success") return undefined
  const { type: _, provider, key, refresh, access, expires, metadata, ...others } = outcome
  const id = provider ?? providerID
  if (typeof refresh === "string") {
    return { providerID: id, auth: { type: "oauth", refresh, access: access ?? "", expires: expires ?? 0, ...others } }
  }
  if (typeof key !== "string" || key === "") return undefined
  return { providerID: id, auth: { type: "api", key, ...(metadata ? { metadata } : {}) } }
}
