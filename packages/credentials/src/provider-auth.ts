import type { AuthContribution } from "@pawl/core/plugin"
import type { KnownProvider, ModelInfo, ProviderOptions, StoredAuth } from "@pawl/core/provider"
import type { Secrets } from "@pawl/secrets"
import type { AuthFile } from "./auth-file.ts"
import { type Contributed, contributedAuth, contributedModels, type ReadContributions } from "./contributed.ts"
import { loaderModels, loaderOptions } from "./loader-options.ts"
import { renewedFetch } from "./renewed-fetch.ts"
import { callPlugin } from "./plugin-call.ts"

/** The sign-in of a provider. */
export interface SignIn {
  /** The key that is kept; absent where something else is. */
  readonly key?: string
  /** Options from plugins. Absent without such a plugin. */
  readonly options?: ProviderOptions
}

/** The credentials of providers, including contributions of plugins. */
export interface ProviderAuth {
  /** Returns true if credentials are saved for the provider. Does not use them. */
  isKept(providerID: string): Promise<boolean>
  /** Returns the sign-in of a provider. Undefined without saved credentials. Rejects with ProviderPluginError. */
  signIn(provider: KnownProvider): Promise<SignIn | undefined>
  /** The provider's models after all plugins; the same list where none changes it. Rejects with ProviderPluginError. */
  models(provider: KnownProvider): Promise<readonly ModelInfo[]>
}

export interface ProviderAuthOptions {
  readonly file: Pick<AuthFile, "get">
  readonly contributions: ReadContributions
  /** Is told what plugins give of secrets. */
  readonly secrets: Pick<Secrets, "add">
}

export function createProviderAuth({ file, contributions, secrets }: ProviderAuthOptions): ProviderAuth {
  const loadersOf = (id: string) => contributedAuth(contributions, id).filter(({ value }) => "loader" in value)

  /** Calls the loaders in order. For an option of several loaders, the last one takes precedence. */
  async function load(provider: KnownProvider, loaders: readonly Contributed<AuthContribution>[]) {
    let options: ProviderOptions = {}
    for (const { plugin, value } of loaders) {
      const stored = () => file.get(provider.id)
      const known = { ...provider, models: options.models ?? provider.models }
      const doing = `sign in to "${provider.id}"`
      const given = await callPlugin({ plugin, doing }, async () => loaderOptions(await value.loader?.(stored, known)))
      options = { ...options, ...given }
    }
    secrets.add(options.apiKey, `auth.${provider.id}.key`)
    for (const [name, value] of Object.entries(options.headers ?? {})) secrets.add(value, name)
    return options
  }

  return {
    isKept: async (providerID) => (await file.get(providerID)) !== undefined,
    async signIn(provider) {
      const stored = await file.get(provider.id)
      if (!stored) return undefined
      const loaders = loadersOf(provider.id)
      const key = stored.type === "api" ? { key: stored.key } : {}
      if (loaders.length === 0) return key
      const options = await load(provider, loaders)
      const fetch =
        options.fetch && renewedFetch(provider.id, { loaders, options }, loadersOf, (now) => load(provider, now))
      return { ...key, options: fetch ? { ...options, fetch } : options }
    },
    async models(provider) {
      const changing = contributedModels(contributions, provider.id).filter(({ value }) => "models" in value)
      if (changing.length === 0) return provider.models
      const auth = await file.get(provider.id)
      let { models } = provider
      for (const { plugin, value } of changing) {
        const doing = `tell the models of "${provider.id}"`
        const told = { ...provider, models }
        models = await callPlugin({ plugin, doing }, async () =>
          loaderModels((await value.models?.(told, withAuth(auth))) ?? told.models),
        )
      }
      return models
    },
  }
}

function withAuth(auth: StoredAuth | undefined) {
  return auth ? { auth } : {}
}
