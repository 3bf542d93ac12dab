import { spawn } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

/** The clients, and what drives them, in the versions of the table. */
export const dependencies: Readonly<Record<string, string>> = {
  "opencode-ai": "1.18.33",
  "@opencode-ai/sdk": "1.18.33",
  "ai-sdk-provider-opencode-sdk": "3.0.6",
  ai: "6.0.325",
  eventsource: "4.1.1",
  "puppeteer-core": "25.16.0",
  "@sparticuz/chromium": "153.0.0",
}

/** Modules that are imported. Node resolves their names only for a file beside them. */
const MODULES = [
  ...["@opencode-ai/sdk", "@opencode-ai/sdk/v2", "ai-sdk-provider-opencode-sdk", "ai", "eventsource"],
  ...["puppeteer-core", "@sparticuz/chromium"],
]

const INSTALL_MS = 600_000

/** Thrown if npm cannot install the clients. */
export class InstallError extends Error {
  override readonly name = "InstallError"
}

/** Installs the clients without their install scripts. npm shows its progress. Rejects with InstallError, or the signal's reason. */
export async function installPackages(packages: string, signal: AbortSignal): Promise<void> {
  await mkdir(packages, { recursive: true })
  await writeFile(join(packages, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }))
  await writeFile(join(packages, "modules.js"), `export default {${MODULES.map(importer).join(",")}}\n`)
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=warn"]
  const child = spawn("npm", ["install", ...options], {
    ...{ cwd: packages, stdio: ["ignore", 2, 2], timeout: INSTALL_MS, killSignal: "SIGTERM" },
  })
  const end = () => child.kill("SIGTERM")
  signal.addEventListener("abort", end)
  try {
    const code = await new Promise<number | null>((ended, failed) => child.on("error", failed).on("close", ended))
    signal.throwIfAborted()
    if (code !== 0) throw new InstallError(`npm install ended with ${code ?? "a signal"}.`)
  } finally {
    signal.removeEventListener("abort", end)
  }
}

/** Imports an installed module. */
export async function importPackage<T>(packages: string, name: string): Promise<T> {
  const url = pathToFileURL(join(packages, "modules.js")).href
  const modules = (await import(url)) as { default: Record<string, () => Promise<T>> }
  const load = modules.default[name]
  if (load === undefined) throw new Error(`"${name}" is not in MODULES.`)
  return load()
}

function importer(name: string): string {
  return `${JSON.stringify(name)}: () => import(${JSON.stringify(name)})`
}
