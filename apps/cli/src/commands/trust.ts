import { realpath } from "node:fs/promises"
import { resolve } from "node:path"
import { type CommandInput, defineCommand } from "../arguments/command.ts"
import { UsageError } from "../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { projectPackages, type ProjectPackages } from "@pawl/runtime/plugins/installed-content"
import { visibleText } from "@pawl/plain-text"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { listenForStop, stopCode, type StopReason } from "../run/stop.ts"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { canAsk, confirm } from "../session/confirm.ts"
import { type DefinedSettings, readDefinedSettings } from "@pawl/runtime/config/definitions"
import { readDataLocations } from "@pawl/runtime/config/settings"
import { trustLines } from "../trust/trust-lines.ts"
import { addTrust, readTrustStore, removeTrust } from "@pawl/trust/trust-store"
import { yesOptions } from "../command-options.ts"

const trustOptions = {
  ...yesOptions,
  list: { summary: "list trusted projects" },
  remove: { summary: "stop trusting the project" },
} as const

/** Shows what trusting a project would allow, and trusts it. */
async function trust({ options, words }: CommandInput<typeof trustOptions>, host: Host): Promise<ExitCode> {
  if (options.list && options.remove) throw new UsageError("--list and --remove cannot be used together.")
  if (options.list) return list(host)
  if (options.remove) return remove(words[0], host)
  const settings = await readDefinedSettings(host, await workDirectory(host, words[0]))
  return decide(settings, options.yes === true, host)
}

async function decide(settings: DefinedSettings, isAgreed: boolean, host: Host): Promise<ExitCode> {
  const { stdout, stderr, environment } = host
  const { trust, dataDirectory } = settings
  const { content, effects, state } = trust
  if (state === "nothing") {
    stdout.write(`${shown(content.worktree)} contains nothing that needs trust.\n`)
    return exitCodes.success
  }
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  stdout.write(`${trustLines(trust, { columns: stdout.isTerminal ? stdout.columns : 160, theme }).join("\n")}\n`)
  if (content.problem !== undefined) throw new UsageError(`It cannot be trusted: ${content.problem}`)
  const packages = await packagesOf(settings, host)
  for (const line of packages?.lines ?? []) stdout.write(`  package ${shown(line)}\n`)
  if ((state === "trusted" && !packages?.isChanged) || effects.length === 0) {
    stdout.write(state === "trusted" ? "It is trusted.\n" : "It contains nothing that needs trust.\n")
    return exitCodes.success
  }
  if (!isAgreed) {
    if (!canAsk(host))
      throw new UsageError("Confirmation needed, but stdin is not a terminal.", "Pass --yes to trust it.")
    const answer = await agreed(host)
    if (answer !== exitCodes.success) return answer
  }
  await addTrust(dataDirectory, content, Date.now(), packages?.marks)
  stderr.write("Trusted until it changes.\n")
  return exitCodes.success
}

/** Returns the plugin packages of the project. Undefined if it has no plugins. */
async function packagesOf(settings: DefinedSettings, host: Host): Promise<ProjectPackages | undefined> {
  const isNamed = settings.layers.some(
    ({ isProject, config, withheld }) => isProject && (config.plugin ?? withheld?.plugin),
  )
  if (!isNamed) return undefined
  return await projectPackages(settings, host)
}

async function agreed(host: Host): Promise<ExitCode> {
  const stop = listenForStop(host, () => performance.now())
  try {
    if (await confirm("Trust it?", { host, stop })) return exitCodes.success
    host.stderr.write("It is not trusted.\n")
    return stop.signal.aborted ? stopCode(stop.signal.reason as StopReason) : exitCodes.failed
  } finally {
    stop.dispose()
  }
}

async function list(host: Host): Promise<ExitCode> {
  const { entries, problem } = await readTrustStore((await readDataLocations(host)).dataDirectory)
  if (problem !== undefined) throw new UsageError(problem)
  for (const { directory, hash, time } of entries) {
    host.stdout.write(`${new Date(time).toISOString().slice(0, 10)}  ${hash.slice(0, 12)}  ${shown(directory)}\n`)
  }
  return exitCodes.success
}

/** Removes the trust of a directory, even if the directory no longer exists. */
async function remove(requested: string | undefined, host: Host): Promise<ExitCode> {
  const path = requested === undefined ? host.directory : resolve(host.directory, requested)
  const directory = await realpath(path).catch(() => path)
  const { dataDirectory } = await readDataLocations(host)
  if (!(await removeTrust(dataDirectory, directory))) throw new UsageError(`Nothing is trusted in ${directory}.`, SEE)
  host.stderr.write(`${shown(directory)} is no longer trusted.\n`)
  return exitCodes.success
}

const SEE = "List trusted projects: pawl trust --list"

function shown(path: string): string {
  return visibleText(path).replaceAll(/\s/g, " ")
}

export const command = defineCommand({
  usage: ["trust [options] [directory]"],
  notes: [
    "Until you trust a project, pawl ignores its plugins, tools, MCP servers, formatters, checks, provider addresses, {env:…} and " +
      "{file:…} references, and shell in commands. This command shows what they would do, and asks.",
    "Trust applies to this directory and its current content; after a change, pawl asks again. Agents, commands and skills of a " +
      "project are texts, and are read like AGENTS.md. Installed packages, and what code downloads, are not inspected.",
  ],
  words: { min: 0, max: 1, completes: "directories" },
  options: trustOptions,
  exitCodes: { 0: "trusted, or nothing needs trust", 1: "failed, or you declined" },
  examples: [
    ["pawl trust", "review the project, then decide"],
    ["pawl trust --yes ci/checkout", "trust a project without asking, in a script"],
    ['pawl run --trust=1f0c9a27 "run the checks"', "trust for one run, if the hash matches"],
    ["pawl trust --remove", "stop trusting this project"],
  ],
  run: trust,
})
