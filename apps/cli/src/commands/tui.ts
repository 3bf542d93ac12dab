import { resolve } from "node:path"
import { type CommandInput, defineCommand } from "../arguments/command.ts"
import { UsageError } from "../arguments/usage-error.ts"
import type { ExitCode } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { toModelRef } from "@pawl/provider-registry/model-ref"
import type { SessionChoice } from "@pawl/runtime/session/find-session"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { modelOptions, storageOptions, trustOptions } from "../command-options.ts"
import { openTui } from "../tui/open-tui.ts"

const tuiOptions = {
  ...modelOptions,
  ...storageOptions,
  continue: { short: "c", summary: "continue the newest session of this directory" },
  session: { short: "s", value: "<id>", completes: "sessions", summary: "continue this session" },
  dir: { value: "<directory>", completes: "directories", summary: "working directory (default: this one)" },
  agent: { value: "<name>", summary: "agent to use, such as build or plan (see pawl agent list)" },
  variant: { value: "<name>", summary: "variant of the model, such as high (see pawl models)" },
  plain: { summary: "only append lines, and answer by number: for screen readers and logs" },
  full: { summary: "use the whole window (alternate screen): the mouse wheel and Page Up scroll inside pawl" },
  attach: {
    value: "<server>",
    isOptional: true,
    summary: "show sessions of a server: an address, or a socket (default: the running pawl serve)",
  },
  "token-file": { value: "<file>", completes: "files", summary: "file with the token of the server of --attach" },
  ...trustOptions,
  pure: { summary: "run without plugins and MCP servers" },
} as const

const HELP = "See: pawl tui --help"

type Options = CommandInput<typeof tuiOptions>["options"]

async function tui({ options, words }: CommandInput<typeof tuiOptions>, host: Host): Promise<ExitCode> {
  const { session, continue: continues } = options
  if (options.full && options.plain) throw new UsageError("--full cannot be used with --plain.", HELP)
  const choice: SessionChoice =
    session !== undefined ? { type: "id", id: session } : { type: continues ? "newest" : "new" }
  const [word] = words
  if (word === "" || (word !== undefined && options.attach !== true)) {
    throw new UsageError(`unexpected argument "${word}"`, HELP)
  }
  if (options.attach !== undefined) return openThroughServer(options, word ?? options.attach, choice, host)
  if (options["token-file"] !== undefined) throw new UsageError("--token-file requires --attach.", HELP)
  const script = options.script === undefined ? undefined : resolve(host.directory, options.script)
  return openTui(
    {
      directory: await workDirectory(host, options.dir),
      choice,
      model: {
        ...{ model: options.model, baseURL: options["base-url"], keyVariable: options["api-key-env"] },
        ...{ script, variant: options.variant },
      },
      ...{
        agent: options.agent,
        storage: options.storage,
        trust: options.trust,
        isPure: options.pure,
        isPlain: options.plain,
        isFull: options.full,
      },
    },
    host,
  )
}

/** Options that the server decides, in its own configuration. */
const OF_SERVER = ["storage", "script", "base-url", "api-key-env", "trust", "pure"] as const

async function openThroughServer(
  options: Options,
  server: string | true,
  choice: SessionChoice,
  host: Host,
): Promise<ExitCode> {
  const given: Readonly<Record<string, unknown>> = options
  const other = OF_SERVER.find((name) => given[name] !== undefined && given[name] !== false)
  if (other !== undefined) throw new UsageError(`--${other} cannot be used with --attach.`, HELP)
  const model = options.model === undefined ? undefined : toModelRef(options.model)
  if (options.model !== undefined && !model) throw new UsageError(`"${options.model}" is not provider/model.`, HELP)
  const { openAttachedTui } = await import("../tui/open-attached-tui.ts")
  return openAttachedTui(
    {
      ...{ server, tokenFile: options["token-file"], choice, model },
      ...{ agent: options.agent, variant: options.variant, isPlain: options.plain, isFull: options.full },
      directory: await workDirectory(host, options.dir),
    },
    host,
  )
}

export const command = defineCommand({
  usage: ["tui [options]", "tui --attach [options] [server]"],
  notes: [
    "On a terminal, the word tui can be omitted: pawl, pawl -c. Finished text goes into the terminal's own scrollback; /help " +
      "lists commands and keys.",
    "With --attach, a pawl serve does the work, with its own storage, configuration and trust, and this terminal shows it. The token " +
      "comes from --token-file, PAWL_SERVE_TOKEN, or the file of your own server.",
  ],
  words: { min: 0, max: 1 },
  options: tuiOptions,
  examples: [
    ["pawl tui", "begin a conversation"],
    ["pawl tui -c", "continue the newest session of this directory"],
    ["pawl tui --attach -c", "continue the newest session on the running pawl serve"],
    ["pawl tui --full", "the same in the whole window"],
    ["pawl tui --plain", "the same for a screen reader"],
  ],
  run: tui,
})
