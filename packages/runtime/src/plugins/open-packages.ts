import type { PackageCache } from "@pawl/plugin-loader"
import type { RuntimeHost } from "../host.ts"
import type { Settings } from "../config/settings.ts"
import { providedNames } from "../module-names.ts"
import { packageDirectory } from "../config/package-directory.ts"

/** Opens the cache of plugin packages that npm has installed. Imports none of them. */
export async function openPackages(
  settings: Pick<Settings, "dataDirectory">,
  host: RuntimeHost,
): Promise<PackageCache> {
  const [{ createModules, createPluginLoader }, guardian] = await Promise.all([
    import("@pawl/plugin-loader"),
    host.guard(),
  ])
  const modules = createModules()
  const { packages } = createPluginLoader({
    ...{ cache: packageDirectory(settings, host), modules, env: host.environment, provided: providedNames },
    guardian,
  })
  modules.close()
  return packages
}
