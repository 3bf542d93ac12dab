import { namedSession } from "@pawl/runtime/session/named-session"
import { withFileHistory } from "@pawl/runtime/session/with-file-history"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { patchLines, statLines, undoLines } from "@pawl/terminal-text/undo-lines"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { type CommandInput, defineCommand } from "../arguments/command.ts"
import { formattedStorageOptions, rawOptions } from "../command-options.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { shownBy } from "../session/masked.ts"
import type { MessageID } from "@pawl/core/record"

const diffOptions = {
  stat: { summary: "print only a line for each file" },
  tool: { value: "<call>", summary: "only the changes of this tool call" },
  message: { value: "<id>", summary: "only the changes of the turn of this message" },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

async function diff({ options, words }: CommandInput<typeof diffOptions>, host: Host): Promise<ExitCode> {
  return withStorage(host, { url: options.storage }, async (storage, locations) => {
    const session = await namedSession(storage, host, { id: words[0] })
    const { tool: callID, message } = options
    const input = {
      sessionID: session.id,
      ...(callID === undefined ? {} : { callID }),
      ...(message === undefined ? {} : { messageID: message as MessageID }),
    }
    const found = await withFileHistory(host, storage, locations, (engine) => engine.diff(input))
    const { files, uncovered } = shownBy(host, options.raw)(found)
    const { stdout, stderr, environment } = host
    if (options.format === "json") {
      for (const file of files) stdout.write(`${JSON.stringify(file)}\n`)
      return exitCodes.success
    }
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    const lines = options.stat
      ? statLines(files, { columns: stdout.isTerminal ? stdout.columns : 100, theme })
      : files.flatMap((file) => patchLines(file, { theme, isPlain: stdout.isTerminal }))
    if (files.length > 0) stdout.write(lines.map((line) => `${line}\n`).join(""))
    else stderr.write("The session has changed no files.\n")
    const notKept = undoLines({ files: [], uncovered }, { theme, directory: session.directory })
    if (notKept.length > 0) stderr.write(`Also changed, maybe:\n${notKept.join("\n")}\n`)
    return exitCodes.success
  })
}

export const command = defineCommand({
  usage: ["diff [options] [session]"],
  notes: [
    "Shows what a session has changed in files, with its subagents and shell commands. Your own changes are left out, and so are undone ones. Piped, the output is a patch that git apply accepts.",
    "Default session: the newest one of this directory.",
  ],
  words: { min: 0, max: 1, completes: "sessions" },
  options: diffOptions,
  examples: [
    ["pawl diff", "what the newest session here has changed"],
    ["pawl diff --stat", "a line for each file"],
    ["pawl diff ses_7ZZ… --tool call_1", "what one tool call has changed"],
  ],
  run: diff,
})
