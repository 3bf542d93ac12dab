import type { Engine } from "@pawl/core"
import type { RuntimeHost } from "../host.ts"
import type { Settings } from "../config/settings.ts"
import { openAuthFile } from "@pawl/credentials/auth-file"
import { createProviderAuth, type ProviderAuth } from "@pawl/credentials/provider-auth"

export interface OpenedAuth {
  readonly auth: ProviderAuth
  /** Providers with saved credentials. */
  readonly kept: ReadonlySet<string>
}

/** Opens the credentials of providers, with the plugins of an engine if there is one. */
export async function openProviderAuth(
  settings: Pick<Settings, "dataDirectory">,
  { secrets }: Pick<RuntimeHost, "secrets">,
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
