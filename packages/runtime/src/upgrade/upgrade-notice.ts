import { spawn } from "node:child_process"
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import type { RuntimeHost } from "../host.ts"
import { ownVersion } from "../own-version.ts"
import { layerOf } from "@pawl/config/layer"
import type { Settings } from "../config/settings.ts"
import { isNewer } from "./newer-version.ts"

/** npm is asked at most so often, in milliseconds. */
const DAY_MS = 86_400_000
/** An answer is a version in quotes. */
const MAX_ANSWER_BYTES = 100

export interface UpgradeHost extends Pick<RuntimeHost, "environment" | "demoDirectory"> {
  readonly stderr: { readonly isTerminal: boolean }
}

/**
 * Returns a notice about a newer version from the last answer of npm. Undefined without a newer version, if the notice is
 * disabled, or without a terminal. After a day, asks npm again in a detached process, so that this process is not delayed. That
 * process uses npm's configuration, so it asks npm's registry.
 */
export function upgradeNotice({ layers, dataDirectory }: Settings, host: UpgradeHost): string | undefined {
  const { environment, stderr } = host
  const own = layers.filter(({ isProject }) => !isProject)
  const isWanted = layerOf(own, ({ upgrade }) => upgrade?.notice)?.config.upgrade?.notice === true
  if (!isWanted || !stderr.isTerminal || environment["CI"]) return undefined
  const file = join(dataDirectory, "upgrade", "newest.json")
  try {
    const stats = statSync(file, { throwIfNoEntry: false })
    const newest = stats && stats.size <= MAX_ANSWER_BYTES ? versionIn(readFileSync(file, "utf8")) : undefined
    if (!stats || Date.now() - stats.mtimeMs > DAY_MS) ask(file, environment)
    const version = ownVersion(host)
    if (newest === undefined || !isNewer(newest, version)) return undefined
    return `pawl ${newest} is there, and this is ${version}: npm install --global pawl@${newest}`
  } catch {
    return undefined
  }
}

function versionIn(text: string): string | undefined {
  return /^"([\d.]{1,40})"\s*$/.exec(text)?.[1]
}

/** Its answer goes to the file, whose time tells when npm was asked. */
function ask(file: string, environment: UpgradeHost["environment"]): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const answer = openSync(file, "w", 0o600)
  try {
    const isWindows = process.platform === "win32"
    const child = spawn("npm", ["view", "pawl", "version", "--json"], {
      ...{ env: environment, detached: !isWindows, shell: isWindows, windowsHide: true },
      stdio: ["ignore", answer, "ignore"],
    })
    child.on("error", () => {})
    child.unref()
  } finally {
    closeSync(answer)
  }
}
