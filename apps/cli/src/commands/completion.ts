import { type CommandInput, type CommandRow, defineCommand, type Source } from "../arguments/command.ts"
import { UsageError } from "../arguments/usage-error.ts"
import { type Candidate, complete } from "../completion/complete.ts"
import { completionScripts } from "../completion/scripts.ts"
import { splitLine } from "../completion/split-line.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { noLog } from "@pawl/runtime/logging/log"
import { knownModels } from "@pawl/provider-registry/known-models"
import { plainLine } from "@pawl/plain-text"
import { collected } from "@pawl/runtime/session/collected"
import { readSettings } from "@pawl/runtime/config/settings"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { worktreeDeps } from "../worktree/worktree-deps.ts"

const completionOptions = {
  line: { value: "<text>", summary: "print completions of this command line; used by the script" },
} as const

/** Prints a shell's completion script, or the completions that the script requests. */
async function completion(
  { options, words: [shell] }: CommandInput<typeof completionOptions>,
  host: Host,
  commands: readonly CommandRow[],
): Promise<ExitCode> {
  if (options.line !== undefined) {
    // A log line for each press of Tab has no use.
    const silent = { ...host, log: noLog }
    for (const line of await nextLines(commands, options.line, silent)) host.stdout.write(`${line}\n`)
    return exitCodes.success
  }
  if (shell === undefined) throw new UsageError("missing shell", KNOWN_SHELLS)
  if (!isShell(shell)) throw new UsageError(`unknown shell "${plainLine(shell)}"`, KNOWN_SHELLS)
  host.stdout.write(completionScripts[shell])
  return exitCodes.success
}

const KNOWN_SHELLS = "One of: pawl completion bash, pawl completion zsh, pawl completion fish"

function isShell(word: string): word is keyof typeof completionScripts {
  return Object.hasOwn(completionScripts, word)
}

/** Returns a line per candidate with its summary behind a tab, or `:files` or `:directories` for the shell to complete. */
async function nextLines(commands: readonly CommandRow[], line: string, host: Host): Promise<string[]> {
  const words = splitLine(line).slice(1)
  const { candidates, source } = await complete(commands, words)
  if (source === "files" || source === "directories") return [`:${source}`]
  const known = source === undefined ? candidates : await knownHere(source, words.at(-1) ?? "", host)
  return known.map(({ text, summary }) => `${plainLine(text)}\t${plainLine(summary)}`)
}

/** Returns an empty list on an error, so that Tab prints no error. */
async function knownHere(source: Exclude<Source, "files" | "directories">, typed: string, host: Host) {
  const written = typed.replace(/^--[\w-]+=/, "")
  const prefix = typed.slice(0, typed.length - written.length)
  const known = { models: modelsHere, sessions: sessionsHere, worktrees: worktreesHere }
  const all = await known[source](host).catch(() => [])
  return all.filter(({ text }) => text.startsWith(written)).map((each) => ({ ...each, text: prefix + each.text }))
}

async function modelsHere(host: Host): Promise<Candidate[]> {
  const { environment, secrets, demoDirectory } = host
  const settings = await readSettings(host, host.directory)
  const found = await knownModels({ ...settings, environment, secrets, demoDirectory }, undefined)
  return found.map(({ ref, source }) => ({ text: ref, summary: secrets.mask(source) }))
}

async function worktreesHere(host: Host): Promise<Candidate[]> {
  const { listWorktrees } = await import("@pawl/worktree")
  const worktrees = await listWorktrees(host.directory, await worktreeDeps(host))
  return worktrees.map(({ name, path }) => ({ text: name, summary: path }))
}

const MAX_SESSIONS = 50

function sessionsHere(host: Host): Promise<Candidate[]> {
  return withStorage(host, { url: undefined }, async (storage) => {
    const query = { parentID: null, limit: MAX_SESSIONS, directory: host.directory }
    const sessions = await collected(storage.listSessions(query))
    return sessions.map(({ id, title }) => ({ text: id, summary: host.secrets.mask(title) }))
  })
}

export const command = defineCommand({
  usage: ["completion bash|zsh|fish"],
  notes: [
    "The script completes commands, options, models, sessions and worktrees when you press Tab. It calls pawl for completions, so an " +
      "update of pawl does not require a new script.",
  ],
  words: { min: 0, max: 1 },
  options: completionOptions,
  examples: [
    [`echo 'source <(pawl completion bash)' >> ~/.bashrc`, "bash"],
    ['pawl completion zsh > "${fpath[1]}/_pawl"', "zsh, with compinit in your .zshrc"],
    ["pawl completion fish > ~/.config/fish/completions/pawl.fish", "fish"],
  ],
  run: completion,
})
