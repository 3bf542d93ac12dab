import type { PluginOrigin } from "./adapter.ts"
import type { InstalledPackage, PackageCache } from "./install/package-cache.ts"
import { PluginError } from "./problem.ts"
import { engineMismatch } from "./spec/engines.ts"
import { fileEntry, installedEntry } from "./spec/entry.ts"
import type { PluginSpec, Target } from "./spec/plugin-spec.ts"

export interface LocateDeps {
  readonly packages: Pick<PackageCache, "get">
  readonly engines: Readonly<Record<string, string>>
}

export interface LocateRequest {
  /** Packages by spec that the caller has just checked. */
  readonly installed?: ReadonlyMap<string, InstalledPackage>
  readonly signal?: AbortSignal
}

export interface LocatedPlugin {
  readonly place: PluginOrigin
  /** Directory of the npm installation, which belongs to the plugin with everything in it. */
  readonly installRoot?: string
}

/** Finds the plugin's main file and installs the package if necessary. Throws PluginError. */
export async function locate(
  { packages, engines }: LocateDeps,
  pluginSpec: PluginSpec,
  target: Target,
  { installed, signal }: LocateRequest,
): Promise<LocatedPlugin> {
  if (target.kind === "file") {
    const { entry, directory, package: manifest } = await fileEntry(target.path)
    const { name, version } = manifest ?? {}
    return {
      place: {
        ...pluginSpec,
        ...{ id: target.path, kind: "file", entry, root: directory },
        ...(name === undefined ? {} : { name }),
        ...(version === undefined ? {} : { version }),
      },
    }
  }
  const { record, root, directory } = installed?.get(pluginSpec.spec) ?? (await packages.get(pluginSpec.spec, signal))
  const { entry, package: manifest } = await installedEntry(directory)
  const mismatch = await engineMismatch(manifest?.engines, engines)
  if (mismatch !== undefined) throw new PluginError("resolve", mismatch)
  const { name, version } = record
  const place: PluginOrigin = {
    ...pluginSpec,
    id: name,
    kind: "npm",
    entry,
    root: directory,
    name,
    version,
    installed: record,
  }
  return { place, installRoot: root }
}
