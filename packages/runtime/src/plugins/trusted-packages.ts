import type { InstalledPackage, PackageCache } from "@pawl/plugin-loader"
import type { DefinedSettings } from "../config/definitions.ts"
import { addTrustedPackages, readTrustStore } from "@pawl/trust/trust-store"
import { trustingEntry } from "@pawl/trust/trust-of"
import type { LoadedPlugin } from "./loaded-plugin.ts"
import type { RequestedPlugin } from "./requested-plugins.ts"

export interface TrustedPackages {
  readonly allowed: readonly RequestedPlugin[]
  readonly refused: readonly LoadedPlugin[]
  /** Installed npm packages, by spec. */
  readonly installed: ReadonlyMap<string, InstalledPackage>
}

/**
 * Returns which plugins of a trusted project may be imported. A trusted project's package must have the version and
 * content that it had at that time. If it was not installed then, this function installs it and stores its version and
 * content. Nothing is stored if the trust is for one run only.
 */
export async function trustedPackages(
  plugins: readonly RequestedPlugin[],
  { trust, dataDirectory }: Pick<DefinedSettings, "trust" | "dataDirectory">,
  packages: Pick<PackageCache, "get">,
  signal?: AbortSignal,
): Promise<TrustedPackages> {
  const npm = plugins.filter(({ kind }) => kind === "npm")
  if (npm.length === 0) return { allowed: plugins, refused: [], installed: new Map() }
  const entry = trustingEntry(trust.content, (await readTrustStore(dataDirectory)).entries)
  const found = await Promise.all(
    // The loader reports packages that cannot be installed.
    npm.map(async ({ spec }) => [spec, await packages.get(spec, signal).catch(() => undefined)] as const),
  )
  signal?.throwIfAborted()
  const installed = new Map(found.flatMap(([spec, each]) => (each ? [[spec, each] as const] : [])))
  const marks = new Map([...installed].map(([spec, { record }]) => [spec, packageMark(record)]))
  const isChanged = ({ kind, spec }: RequestedPlugin) => {
    const [known, mark] = [entry?.packages?.[spec], marks.get(spec)]
    return kind === "npm" && known !== undefined && mark !== undefined && known !== mark
  }
  const fresh = [...marks].filter(([spec]) => entry?.packages?.[spec] === undefined)
  if (entry && fresh.length > 0) await addTrustedPackages(dataDirectory, entry, Object.fromEntries(fresh))
  return {
    installed,
    allowed: plugins.filter((plugin) => !isChanged(plugin)),
    refused: plugins.filter(isChanged).map((wanted) => {
      const [then = "", now = ""] = [entry?.packages?.[wanted.spec], marks.get(wanted.spec)].map(versionOf)
      const message = `Plugin ${wanted.written} of ${wanted.source} is left out: it was ${then} when this project was trusted, and is ${now === then ? "something else" : now} now. To allow it as it is: pawl trust`
      return { wanted, entries: [], problems: [message], took: 0 }
    }),
  }
}

/** Returns the mark that must stay the same: the version, which the user can read, and the hash of the installed content. */
export function packageMark({ version, content }: { readonly version: string; readonly content: string }): string {
  return `${version} ${content}`
}

function versionOf(mark: string | undefined): string {
  return mark?.split(" ")[0] ?? ""
}
