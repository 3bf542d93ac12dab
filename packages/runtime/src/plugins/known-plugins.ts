import type { Config } from "@pawl/config"
import type { PackageCache } from "@pawl/plugin-loader"
import type { RuntimeHost } from "../host.ts"
import type { DefinedSettings } from "../config/definitions.ts"
import { packageMark } from "./trusted-packages.ts"
import { requestedPlugins, type RequestedPlugin } from "./requested-plugins.ts"
import { trustingEntry } from "@pawl/trust/trust-of"
import { readTrustStore } from "@pawl/trust/trust-store"

/** Facts about a plugin that are known without running it. */
export interface KnownPlugin {
  readonly wanted: RequestedPlugin
  /** `changed`: the package differs from the one that was trusted. */
  readonly trust: "yours" | "trusted" | "untrusted" | "changed"
  /** Version of an installed package or a bundled plugin. */
  readonly version?: string
  readonly isInstalled: boolean
}

/** Returns all requested plugins, including those of an untrusted project. Does not import or install anything. */
export async function knownPlugins(
  settings: DefinedSettings,
  host: RuntimeHost,
  packages: Pick<PackageCache, "find">,
): Promise<{ readonly plugins: readonly KnownPlugin[]; readonly problems: readonly string[] }> {
  const { trust, dataDirectory } = settings
  const { plugins, problems } = requestedPlugins(withUntrusted(settings), host)
  const entry = trustingEntry(trust.content, (await readTrustStore(dataDirectory)).entries)
  const known = await Promise.all(
    plugins.map(async (wanted): Promise<KnownPlugin> => {
      const found = wanted.kind === "npm" ? await packages.find(wanted.spec).catch(() => undefined) : undefined
      const pinned = entry?.packages?.[wanted.spec]
      const isChanged = pinned !== undefined && found !== undefined && pinned !== packageMark(found.record)
      const ofProject = !trust.isTrusted ? "untrusted" : isChanged ? "changed" : "trusted"
      return {
        wanted,
        trust: wanted.isProject ? ofProject : "yours",
        isInstalled: wanted.kind !== "npm" || found !== undefined,
        ...(found ? { version: found.record.version } : {}),
      }
    }),
  )
  return { plugins: known, problems }
}

/** Returns settings with the plugins of an untrusted project. They must not be run. */
function withUntrusted(settings: DefinedSettings): DefinedSettings {
  const { layers, definitions } = settings
  return {
    ...settings,
    layers: layers.map((layer) => {
      const plugin: Config["plugin"] = layer.withheld?.plugin
      return plugin ? { ...layer, config: { ...layer.config, plugin } } : layer
    }),
    definitions: { ...definitions, plugins: definitions.allPlugins },
  }
}
