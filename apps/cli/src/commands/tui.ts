import { resolve } from "node:path"
import { type CommandInput, defineCommand } from "../arguments/command.ts"
import type { ExitCode } from "../exit-code.ts"
import type { Host } from "../host.ts"
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
  ...trustOptions,
  pure: { summary: "run without plugins and MCP servers" },
} as const

async function tui({ options }: CommandInput<typeof tuiOptions>, host: Host): Promise<ExitCode> {
  const { session, continue: continues } = options
  const script = options.script === undefined ? undefined : resolve(host.directory, options.script)
  return openTui(
    {
      directory: await workDirectory(host, options.dir),
      choice: session !== undefined ? { type: "id", id: session } : { type: continues ? "newest" : "new" },
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
      },
    },
    host,
  )
}

export const command = defineCommand({
  usage: ["tui [options]"],
  notes: [
    "On a terminal, the word tui can be omitted: pawl, pawl -c. Finished text goes into the terminal's own scrollback; /help " +
      "lists commands and keys.",
  ],
  words: { min: 0, max: 0 },
  options: tuiOptions,
  examples: [
    ["pawl tui", "begin a conversation"],
    ["pawl tui -c", "continue the newest session of this directory"],
    ["pawl tui --plain", "the same for a screen reader"],
  ],
  run: tui,
})
