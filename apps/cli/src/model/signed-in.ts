import type { KnownProvider, ModelInfo } from "@pawl/core"
import type { ProviderAuth } from "../auth/provider-auth.ts"
import { withCertificates } from "./certificates.ts"
import { type Connection, connectionOf, type ConnectionSources } from "./connection.ts"
import { projectWay } from "./project-way.ts"

export interface SignedInSources extends ConnectionSources {
  /** What credentials and plugins make of providers; absent: nothing. */
  readonly auth?: ProviderAuth | undefined
}

/** How to reach a provider, and the models that there are by that. */
export interface SignedIn {
  readonly connection: Connection
  readonly models: readonly ModelInfo[]
}

/**
 * As `connectionOf`, with what people have signed in with. That is used neither where a project decides the way,
 * nor where a key is named for this run. The same list of models where nobody changes it.
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
  if (!projectWay(known.id, sources)) return auth.signIn(known)
  return (await auth.isKept(known.id)) ? {} : undefined
}
