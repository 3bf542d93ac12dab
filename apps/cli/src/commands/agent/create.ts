import { mkdir, realpath } from "node:fs/promises"
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path"
import { MovedDirectoryError } from "@pawl/held-directory"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import { makeFile } from "@pawl/files/held-file"
import type { Host } from "../../host.ts"
import { toModelRef } from "@pawl/provider-registry/model-ref"
import { shortPath } from "@pawl/terminal-text/short-path"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { readSettings } from "@pawl/runtime/config/settings"
import { format } from "../../command-options.ts"

const agentCreateOptions = {
  description: { value: "<text>", summary: "purpose of the agent; other agents read it" },
  mode: {
    value: "<mode>",
    choices: ["primary", "subagent", "all"],
    summary: "who can select it: you (primary), other agents (subagent), or both",
  },
  model: {
    short: "m",
    value: "<provider/model>",
    completes: "models",
    summary: "its model (default: the model of the session)",
  },
  prompt: { value: "<text>", summary: "its system prompt" },
  allow: { value: "<tool>", multiple: true, summary: "tool it may use without asking" },
  ask: { value: "<tool>", multiple: true, summary: "tool it must ask for" },
  deny: { value: "<tool>", multiple: true, summary: "tool it may not use" },
  global: { summary: "create it for your user, not for this project" },
  dir: { value: "<directory>", completes: "directories", summary: "project directory (default: this one)" },
  ...format,
} as const

type Options = CommandInput<typeof agentCreateOptions>["options"]

const NAME = /^[a-z0-9][a-z0-9_-]{0,60}$/i
const HELP = "See: pawl agent create --help"

/** Writes the file that defines an agent. Never replaces a file. */
async function agentCreate(
  { options, words: [name = ""] }: CommandInput<typeof agentCreateOptions>,
  host: Host,
): Promise<ExitCode> {
  if (!NAME.test(name)) {
    throw new UsageError(`invalid agent name "${name}": use letters, digits, "-" and "_", at most 61.`, HELP)
  }
  if (options.model !== undefined && !toModelRef(options.model)) {
    throw new UsageError(`invalid value "${options.model}" for -m: expected provider/model`, HELP)
  }
  const settings = await readSettings(host, await workDirectory(host, options.dir))
  const folder = options.global ? settings.configDirectory : join(settings.worktree, ".pawl")
  const file = join(folder, "agent", `${name}.md`)
  const real = options.global ? await madeDirectory(dirname(file)) : await projectDirectory(settings.worktree, folder)
  await makeFile(join(real, `${name}.md`), agentFile(name, options)).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof MovedDirectoryError) throw leadsOut(dirname(file), error.to ?? "elsewhere")
    if (error.code !== "EEXIST") throw error
    throw new UsageError(`Agent "${name}" already exists: ${file}`, `Show it: pawl agent show ${name}`)
  })
  if (options.format === "json") host.stdout.write(`${JSON.stringify({ name, file })}\n`)
  else {
    host.stdout.write(`${shortPath(file, host.directory, host)}\n`)
    const use = options.mode === "subagent" ? `"@${name} …"` : `--agent ${name} "…"`
    host.stderr.write(`Use it: ${host.program} run ${use}\n`)
  }
  return exitCodes.success
}

async function madeDirectory(path: string): Promise<string> {
  await mkdir(path, { recursive: true })
  return realpath(path)
}

/** Returns the directory of the project's agents with links resolved. Throws if a link in the project leads out of it. */
async function projectDirectory(worktree: string, folder: string): Promise<string> {
  const [root, own] = await Promise.all([realpath(worktree), realpath(folder).catch(() => undefined)])
  const directory = join(own ?? join(root, basename(folder)), "agent")
  const real = await realpath(directory).catch(() => directory)
  const way = relative(root, real)
  if (way.split(sep)[0] === ".." || isAbsolute(way)) throw leadsOut(join(folder, "agent"), real)
  return real
}

function leadsOut(directory: string, to: string): UsageError {
  return new UsageError(
    `${directory} leads out of the project, to ${to}: nothing was written.`,
    "Remove the link, or make an agent of your own: pawl agent create --global",
  )
}

function agentFile(name: string, { description, mode, model, prompt, allow, ask, deny }: Options): string {
  const rules = Object.entries({ allow, ask, deny }).flatMap(([verdict, tools = []]) => {
    return tools.map((tool) => `  ${JSON.stringify(tool)}: ${verdict}`)
  })
  const head = [
    // JSON is YAML.
    `description: ${JSON.stringify(description ?? `The agent "${name}".`)}`,
    ...(mode === undefined ? [] : [`mode: ${mode}`]),
    ...(model === undefined ? [] : [`model: ${JSON.stringify(model)}`]),
    ...(rules.length === 0 ? [] : ["permission:", ...rules]),
  ]
  return `---\n${head.join("\n")}\n---\n\n${prompt ?? `You are ${name}.`}\n`
}

export const command = defineCommand({
  usage: ["agent create [options] <name>"],
  notes: ["Writes agent/<name>.md to the project's .pawl directory. You can edit the file."],
  words: { min: 1, max: 1, missing: "missing name: pawl agent create <name>" },
  options: agentCreateOptions,
  examples: [
    ['pawl agent create reviewer --description "Finds mistakes in changes." --mode subagent', "create @reviewer"],
    ["pawl agent create careful --ask bash --deny webfetch --global", "use it with pawl run --agent careful"],
  ],
  run: agentCreate,
})
