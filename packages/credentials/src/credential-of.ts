import type { AuthOutcome, StoredAuth } from "@pawl/core/plugin"
import { storedAuth } from "./stored-auth.ts"

/** The credentials to save, with their provider. */
export interface Credential {
  readonly providerID: string
  readonly auth: StoredAuth
}

/**
 * Returns the credentials to save after a sign-in. Undefined if it failed or produced none. Throws TypeError for credentials
 * that could not be read again.
 */
export function credentialOf(providerID: string, outcome: AuthOutcome | undefined): Credential | undefined {
  if (outcome?.type !== "success") return undefined
  const { type: _, provider, key, refresh, access, expires, metadata, ...others } = outcome
  const id = typeof provider === "string" ? provider : providerID
  if (typeof refresh === "string") {
    const auth = storedAuth({ type: "oauth", refresh, access: access ?? "", expires: expires ?? 0, ...others })
    if (!auth) throw new TypeError("it gave no credential that can be kept.")
    return { providerID: id, auth }
  }
  if (typeof key !== "string" || key === "") return undefined
  return { providerID: id, auth: { type: "api", key, ...(metadata ? { metadata } : {}) } }
}
