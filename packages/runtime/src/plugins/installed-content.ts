import type { RuntimeHost } from "../host.ts"
import type { DefinedSettings } from "../config/definitions.ts"
import { knownPlugins } from "./known-plugins.ts"
import { openPackages } from "./open-packages.ts"
import { packageMark } from "./trusted-packages.ts"

/** The installed packages that a project requests. */
export interface ProjectPackages {
  /** By spec: the mark that is stored with the trust. */
  readonly marks: Readonly<Record<string, string>>
  /** Lines for the user that describe them. */
  readonly lines: readonly string[]
  /** Set if a package differs from the trusted one. */
  readonly isChanged: boolean
}

/** Does not install or import anything. */
export async function projectPackages(settings: DefinedSettings, host: RuntimeHost): Promise<ProjectPackages> {
  const packages = await openPackages(settings, host)
  const { plugins } = await knownPlugins(settings, host, packages)
  const own = plugins.filter(({ wanted }) => wanted.isProject && wanted.kind === "npm")
  const found = await Promise.all(
    own.map(async ({ wanted, trust }) => ({
      spec: wanted.spec,
      trust,
      installed: await packages.find(wanted.spec).catch(() => undefined),
    })),
  )
  const there = found.flatMap(({ installed, ...each }) => (installed ? [{ ...each, record: installed.record }] : []))
  return {
    marks: Object.fromEntries(there.map(({ spec, record }) => [spec, packageMark(record)])),
    lines: found.map(({ spec, trust, installed }) => {
      if (!installed) return `${spec}: not installed yet; what it is when it is installed is what is trusted`
      const { version, content } = installed.record
      return `${spec}: version ${version}, ${content.slice(0, 23)}…${trust === "changed" ? " (changed)" : ""}`
    }),
    isChanged: there.some(({ trust }) => trust === "changed"),
  }
}
