import { ConfigError } from "@pawl/config"
import type { Secrets } from "@pawl/secrets"
import type { Layer } from "@pawl/config/layer"
import { readOrganizations } from "./organization-store.ts"

/**
 * Returns the configurations of the user's organizations, as last accepted. Fetches nothing. Rejects with a ConfigError for a
 * configuration that this version of pawl cannot read.
 */
export async function organizationLayers(
  dataDirectory: string,
  { secrets }: { readonly secrets?: Pick<Secrets, "add"> },
): Promise<Layer[]> {
  const kept = await readOrganizations(dataDirectory)
  if (kept.size === 0) return []
  // Most users have no organization, and do not need these modules.
  const [{ openAuthFile }, { layerOfOrganization }] = await Promise.all([
    import("@pawl/credentials/auth-file"),
    import("./organization-config.ts"),
  ])
  const signedIn = await openAuthFile({ dataDirectory }, { secrets: secrets ?? { add: () => undefined } }).all()
  const layers = [...kept].map(async ([name, { address, config, tokenName }]) => {
    const auth = signedIn.get(name)
    if (auth?.type !== "wellknown") return []
    const token = tokenName === undefined ? undefined : { name: tokenName, value: auth.token }
    return [await layerOfOrganization({ address, config, token }).catch((error: unknown) => refuse(error, name))]
  })
  return (await Promise.all(layers)).flat()
}

function refuse(error: unknown, name: string): never {
  if (!(error instanceof ConfigError)) throw error
  const message = `What ${name} configures cannot be used. Look for what it offers by now: pawl auth login ${name} · Or do without: pawl auth logout ${name}`
  throw new ConfigError([...error.problems, { message }] as unknown as ConstructorParameters<typeof ConfigError>[0])
}
