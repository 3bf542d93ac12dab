import type { Engine } from "@pawl/core"
import type { Host } from "../host.ts"
import type { Settings } from "../settings/settings.ts"
import { openAuthFile } from "./auth-file.ts"
import { createProviderAuth, type ProviderAuth } from "./provider-auth.ts"

export interface OpenedAuth {
  readonly auth: ProviderAuth
  /** Providers that somebody has signed in to. */
  readonly kept: ReadonlySet<string>
}

/** What credentials, and the plugins of an engine where there is one, make of providers. */
export async function openProviderAuth(
  settings: Pick<Settings, "dataDirectory">,
  { secrets }: Pick<Host, "secrets">,
  engine?: Pick<Engine, "plugins">,
): Promise<OpenedAuth> {
  const file = openAuthFile(settings, { secrets })
  const kept = new Set((await file.all()).keys())
  const auth = createProviderAuth({
    ...{ file, secrets },
    contributions: (name) => engine?.plugins.contributions(name) ?? [],
  })
  return { auth, kept }
}
