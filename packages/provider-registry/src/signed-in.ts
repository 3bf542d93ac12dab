import type { KnownProvider, ModelInfo } from "@pawl/core/provider"
import type { ProviderAuth } from "@pawl/credentials/provider-auth"
import { withCertificates } from "./certificates.ts"
import { type Connection, connectionOf, type ConnectionSources } from "./connection.ts"
import { untrustedRoute } from "./untrusted-route.ts"

export interface SignedInSources extends ConnectionSources {
  /** Credentials of providers, with contributions of plugins. Default: none are used. */
  readonly auth?: ProviderAuth | undefined
}

/** How to reach a provider, and the models that there are by that. */
export interface SignedIn {
  readonly connection: Connection
  readonly models: readonly ModelInfo[]
}

/**
 * Returns the connection as `connectionOf` does, with the saved credentials. They are not used if a project redirects the
 * provider, or if a key is selected for this run. Returns the same list of models unless a plugin changes it.
 */
export async function signedIn(known: KnownProvider, { auth, ...sources }: SignedInSources): Promise<SignedIn> {
  if (!auth) return { connection: await withCertificates(connectionOf(known.id, sources)), models: known.models }
  const signIn = await signInOf(known, auth, sources)
  const connection = await withCertificates(connectionOf(known.id, { ...sources, signIn }))
  const models = await auth.models({ ...known, models: signIn?.options?.models ?? known.models })
  return { connection, models }
}

async function signInOf(known: KnownProvider, auth: ProviderAuth, sources: ConnectionSources) {
  if (sources.keyVariable !== undefined) return undefined
  if (!untrustedRoute(known.id, sources)) return auth.signIn(known)
  return (await auth.isKept(known.id)) ? {} : undefined
}
