import { isPluginPath, withoutScheme } from "@pawl/config"
import type { Provider } from "@pawl/core/provider"
import type { InstalledPackage, PackageCache } from "@pawl/plugin-loader"
import type { SDKProviderOptions } from "@pawl/provider-http"
import { UsageError } from "@pawl/config/usage-error"
import { absolute, baseOf, layerOf } from "@pawl/config/layer"
import type { ConnectionSources } from "./connection-sources.ts"
import { keyless } from "./keyless.ts"
import { loadPackage } from "./package-entry.ts"
import { untrustedRoute } from "./untrusted-route.ts"
import { proxiesOf } from "./proxies.ts"

/** Opens the cache of installed packages. */
export type OpenPackages = () => Promise<Pick<PackageCache, "find" | "get">>

export interface PackageSources extends ConnectionSources {
  /** Default: no packages are installed. */
  readonly packages?: OpenPackages | undefined
}

/**
 * Returns the provider of an installed package. Throws UsageError if the package is missing or does not create a provider.
 * Installs nothing.
 */
export async function packageProvider(
  npm: string,
  options: Omit<SDKProviderOptions, "create" | "package">,
  sources: PackageSources,
): Promise<Provider> {
  const { sdkProvider } = await import("@pawl/provider-http")
  const create = await loadPackage({ npm, id: options.id, file: await entryOf(npm, options.id, sources) })
  const environment = proxiesOf(options.environment)
  // At the package's own address it may use the variable that it knows, unless a project decides the way there.
  const isItsOwnWay = !options.baseURL && !untrustedRoute(options.id, sources)
  const isKeyless = !options.apiKey?.trim() && !isItsOwnWay
  const key = isKeyless ? await keyless({ ...options, environment }) : {}
  return sdkProvider({ ...options, environment, ...key, package: npm, create })
}

async function entryOf(npm: string, id: string, { layers, packages, environment }: PackageSources): Promise<string> {
  const { fileEntry, installedEntry } = await import("@pawl/plugin-loader")
  if (!isPluginPath(npm)) {
    const installed = await installedPackage(npm, id, packages)
    return (await installedEntry(installed.directory)).entry
  }
  const layer = layerOf(layers, ({ provider }) => provider?.[id]?.npm)
  if (layer?.isProject) {
    throw new UsageError(
      `${layer.source} gives provider "${id}" to ${npm}: a project cannot bring the code of a provider. Name it in your own configuration.`,
    )
  }
  const home = environment["HOME"] ?? environment["USERPROFILE"]
  return (await fileEntry(absolute(withoutScheme(npm), { base: layer && baseOf(layer), home }))).entry
}

async function installedPackage(npm: string, id: string, open: OpenPackages | undefined): Promise<InstalledPackage> {
  const packages = await open?.()
  if (packages && (await packages.find(npm))) return packages.get(npm)
  throw new UsageError(
    `Provider "${id}" needs the package ${npm}, which is not installed.`,
    `To install it, without running scripts of it: pawl provider add ${npm}`,
  )
}
