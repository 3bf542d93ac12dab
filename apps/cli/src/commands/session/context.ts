import { resolve } from "node:path"
import { openRuntime } from "@pawl/runtime/open-runtime"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { formattedStorageOptions, modelOptions, rawOptions } from "../../command-options.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { contextLines } from "@pawl/terminal-text/context-lines"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { shownBy } from "../../session/masked.ts"

const sessionContextOptions = {
  ...modelOptions,
  dir: {
    value: "<directory>",
    completes: "directories",
    summary: "directory of the newest session (default: this one)",
  },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

export async function sessionContext(
  { options, words: [id] }: CommandInput<typeof sessionContextOptions>,
  host: Host,
): Promise<ExitCode> {
  const { stdout, stderr, environment, secrets } = host
  const { model, script, "base-url": baseURL, "api-key-env": keyVariable } = options
  await using runtime = await openRuntime({
    directory: await workDirectory(host, options.dir),
    host,
    interaction: { notice: (text) => stderr.write(`${secrets.mask(text)}\n`) },
    storage: options.storage,
    session: id === undefined ? { type: "newest" } : { type: "id", id },
    model: {
      ...{ model, baseURL, keyVariable },
      ...(script === undefined ? {} : { script: resolve(host.directory, script) }),
    },
    isReport: true,
  })
  const session = runtime.session as NonNullable<typeof runtime.session>
  const report = await runtime.engine.context(session.id, { model: runtime.model })
  // Without providers, the engine cannot name the problem itself.
  const { modelProblem = runtime.problem } = report
  const show = shownBy(host, options.raw)
  const shown = show(modelProblem === undefined ? report : { ...report, modelProblem })
  if (options.format === "json") stdout.write(`${JSON.stringify(shown)}\n`)
  else {
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    const columns = stdout.isTerminal ? stdout.columns : 100
    const layout = { columns, theme, now: Date.now(), home: host.home }
    stdout.write(`${contextLines(show(session), shown, layout).join("\n")}\n`)
  }
  return exitCodes.success
}

export const command = defineCommand({
  usage: ["session context [options] [id]"],
  notes: [
    "Shows the content of the session's next request, the free space in the context window, and past compactions. Nothing is " +
      "sent. Default session: the newest one of this directory.",
    "Token counts are estimates, corrected by the usage that the session's model reports. -m shows another model's window.",
  ],
  words: { min: 0, max: 1, completes: "sessions" },
  options: sessionContextOptions,
  examples: [
    ["pawl session context", "show what fills the window"],
    ["pawl session context --format json | jq .shares", "print JSON for a program"],
    ["pawl session context -m ollama/qwen3-coder", "check whether another model has room for it"],
  ],
  run: sessionContext,
})
