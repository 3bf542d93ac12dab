import { access, constants } from "node:fs/promises"
import { dirname } from "node:path"
import { diskState } from "@pawl/storage-kit"
import type { Host } from "../host.ts"
import { findLocalServers } from "@pawl/provider-registry/local-servers"
import { logFile } from "@pawl/runtime/logging/log-file"
import { toThreshold } from "@pawl/runtime/logging/log-level"
import { knownModels } from "@pawl/provider-registry/known-models"
import { REPLAY } from "@pawl/provider-registry/replay"
import { organizationFindings } from "./organization-findings.ts"
import { bytes, grouped, plural } from "@pawl/terminal-text/quantity"
import { shortPath } from "@pawl/terminal-text/short-path"
import { shownLocation } from "@pawl/runtime/storage/shown-location"
import { openSandbox } from "@pawl/runtime/config/sandbox"
import { readDataLocations, readSettings, type Settings } from "@pawl/runtime/config/settings"
import { openStorage } from "@pawl/runtime/storage/open-storage"
import type { Check } from "./check.ts"
import { programVersion } from "./program-version.ts"

/** Everything that pawl needs or can use, in the order in which problems should be fixed. */
export function checksOf(host: Host): readonly Check[] {
  const settings = readSettings(host, host.directory)
  const isRead = settings.then(
    () => true,
    () => false,
  )
  // A broken configuration is reported once, not by each check that reads it.
  const configured =
    (look: Check["look"]): Check["look"] =>
    async () =>
      (await isRead) ? look() : NOT_LOOKED
  return [
    {
      name: "node",
      look: async () => ({ state: "good", says: `${process.version} on ${process.platform} ${process.arch}` }),
    },
    { name: "git", look: () => git(host) },
    { name: "ripgrep", look: () => ripgrep(host) },
    { name: "configuration", look: () => configuration(settings, host) },
    {
      name: "organization",
      look: configured(async () => organizationFindings((await settings).dataDirectory, Date.now())),
    },
    { name: "storage", look: configured(() => storage(host)) },
    { name: "log", look: configured(() => log(settings, host)) },
    { name: "models", look: configured(() => models(settings, host)) },
    { name: "local servers", look: () => localServers(settings, host) },
    { name: "sandbox", look: configured(() => sandbox(settings, host)) },
    { name: "images", look: images },
  ]
}

const NOT_LOOKED = { state: "missing", says: "not looked at: the configuration has to be mended first" } as const

async function git({ environment }: Host) {
  const version = await programVersion("git", environment)
  if (version !== undefined) return { state: "good", says: version } as const
  const says = "not found: work cannot be told apart from what was there before"
  return { state: "missing", says, advice: "Install git, and see that it is on the PATH." } as const
}

async function ripgrep({ environment }: Host) {
  const { bundledRipgrep } = await import("@pawl/tools")
  const version = await programVersion(await bundledRipgrep(), environment)
  if (version !== undefined) return { state: "good", says: version } as const
  const says = "the one that comes with pawl cannot be started: glob, grep and list would fail"
  return { state: "bad", says, advice: "Install pawl again, with its optional dependencies." } as const
}

async function configuration(reading: Promise<Settings>, host: Host) {
  const { layers, trust, configDirectory } = await reading
  const named = layers.map(({ source }) => shortPath(source, host.directory, host)).join(", ")
  if (trust.notices.length > 0) {
    return { state: "missing", says: trust.notices.join(" "), advice: "Look at it with: pawl trust" } as const
  }
  const left = layers.reduce((count, { leftOut = [] }) => count + leftOut.length, 0)
  const says = named === "" ? `none; your own would be ${configDirectory}/pawl.jsonc` : named
  if (left === 0) return { state: "good", says } as const
  const without = `${says}, without ${left} ${left === 1 ? "key that means" : "keys that mean"} nothing here`
  return { state: "good", says: without, advice: "They are listed by: pawl config files" } as const
}

/** Opens the storage like the next run, and creates it if it does not exist. */
async function storage(host: Host) {
  const { storage: choice } = await readDataLocations(host)
  const opened = await openStorage(choice)
  try {
    const { records, totalBytes } = await opened.stats()
    const says = `${shownLocation(opened)}: ${plural(records.session.count, "session")}, ${bytes(totalBytes)}`
    const path = /^(?:sqlite|file):(.+)$/s.exec(choice.url)?.[1]
    const reason = path === undefined ? undefined : (diskState(path) ?? (await whyUnwritable(path)))
    if (reason === undefined) return { state: "good", says } as const
    const advice = "Free some space, mount the disk for writing, or use another data directory."
    return { state: "bad", says: `${says}; cannot be written (${reason})`, advice } as const
  } finally {
    await opened.close()
  }
}

async function log(reading: Promise<Settings>, host: Host) {
  const { config, dataDirectory } = await reading
  const level = toThreshold(host.environment["PAWL_LOG_LEVEL"]) ?? config.log?.level ?? "info"
  const file = shortPath(logFile(dataDirectory), host.directory, host)
  if (level === "off") return { state: "missing", says: `switched off; it would be ${file}` } as const
  const unwritable = await whyUnwritable(logFile(dataDirectory))
  if (unwritable === undefined) return { state: "good", says: `${file}, from ${level} on` } as const
  const advice = "Work goes on without it. To have one, give this user the right to write there."
  return { state: "missing", says: `${file} cannot be written (${unwritable})`, advice } as const
}

/**
 * Returns the reason why a file cannot be written; undefined if it can. If the file or its directory does not exist,
 * checks the nearest existing parent.
 */
async function whyUnwritable(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.W_OK)
    return undefined
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException
    return code === "ENOENT" && dirname(path) !== path ? whyUnwritable(dirname(path)) : code || message
  }
}

async function models(reading: Promise<Settings>, { environment, secrets, demoDirectory }: Host) {
  const settings = await reading
  const found = await knownModels({ ...settings, environment, secrets, demoDirectory }, undefined)
  const usable = found.filter(({ ref }) => !ref.startsWith(`${REPLAY}/`))
  if (usable.length === 0) {
    const advice = "Set a key such as OPENAI_API_KEY, start a local server such as Ollama, or configure a provider."
    return { state: "bad", says: "none: there is no key, no local server and no configured provider", advice } as const
  }
  const [first] = usable
  const chosen = environment["PAWL_MODEL"] ?? settings.config.model ?? first?.ref
  return { state: "good", says: `${grouped(usable.length)} known, ${chosen} by default` } as const
}

async function localServers(reading: Promise<Settings>, { environment }: Host) {
  const config = await reading.then(
    (settings) => settings.config,
    () => ({}),
  )
  const found = await findLocalServers({ environment, config })
  if (found.length === 0) return { state: "missing", says: "none answers on its usual port" } as const
  const says = found.map(({ preset, models: own }) => `${preset.name} with ${plural(own.length, "model")}`).join(", ")
  return { state: "good", says } as const
}

async function sandbox(reading: Promise<Settings>, host: Host) {
  const settings = await reading
  const wanted = settings.config.sandbox
  const tried = {
    ...settings,
    config: { ...settings.config, sandbox: wanted === undefined || wanted === false ? ("bwrap" as const) : wanted },
  }
  try {
    const opened = await openSandbox(tried, host)
    await opened?.close()
    const says = wanted ? "bubblewrap: commands run in it" : "bubblewrap can be used; commands run without it"
    return {
      state: "good",
      says,
      ...(wanted ? {} : { advice: 'Set "sandbox": "bwrap" in your pawl.jsonc to have commands run in it.' }),
    } as const
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error)
    return { state: wanted ? "bad" : "missing", says } as const
  }
}

async function images() {
  try {
    await import("sharp")
    return { state: "good", says: "large images are drawn smaller for the model" } as const
  } catch {
    const advice = "Install pawl again with its optional dependencies to have them drawn smaller."
    return { state: "missing", says: "images that are too large for a model are left out", advice } as const
  }
}
