import type { Engine, UndoReport } from "@pawl/core"
import type { MessageID, Session } from "@pawl/core/record"
import { namedSession } from "@pawl/runtime/session/named-session"
import { withFileHistory } from "@pawl/runtime/session/with-file-history"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { leavesFiles, undoLines } from "@pawl/terminal-text/undo-lines"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { type CommandInput, defineCommand } from "../arguments/command.ts"
import { UsageError } from "../arguments/usage-error.ts"
import { formattedStorageOptions } from "../command-options.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { undoneHead } from "../session/undone-head.ts"

const undoOptions = {
  session: {
    short: "s",
    value: "<id>",
    completes: "sessions",
    summary: "session (default: the newest of this directory)",
  },
  files: { summary: "undo only the changes of files" },
  chat: { summary: "undo only the messages" },
  to: { value: "<message>", summary: "undo this message and everything after it" },
  ...formattedStorageOptions,
} as const

async function undo({ options }: CommandInput<typeof undoOptions>, host: Host): Promise<ExitCode> {
  const { files, chat, to } = options
  if (files && chat) throw new UsageError("--files and --chat exclude each other.", "For both, use neither.")
  const sides = files ? { chat: false } : chat ? { files: false } : {}
  const point = to === undefined ? {} : { messageID: to as MessageID }
  return changeUndo({ options, host }, (engine, { id: sessionID }) => engine.revert({ sessionID, ...point, ...sides }))
}

interface UndoCommand {
  readonly options: { readonly session?: string; readonly storage?: string; readonly format?: "text" | "json" }
  readonly host: Host
}

/** Undoes or redoes work of a session, and prints the outcome for each file. */
export async function changeUndo(
  { options: { session: id, storage: url, format }, host }: UndoCommand,
  change: (engine: Engine, session: Session) => Promise<UndoReport>,
  isRedo = false,
): Promise<ExitCode> {
  return withStorage(host, { url }, async (storage, locations) => {
    const session = await namedSession(storage, host, { id })
    const report = await withFileHistory(host, storage, locations, (engine) => change(engine, session))
    const { files, uncovered, undone } = report
    if (format === "json") {
      host.stdout.write(`${JSON.stringify({ sessionID: session.id, undone, files, uncovered })}\n`)
    } else {
      const theme = createTheme(wantsColour(host.environment, host.stdout.isTerminal))
      const lines = [
        ...(await undoneHead(storage, report, host)),
        ...undoLines(report, { theme, directory: session.directory, isRedo }),
      ]
      host.stdout.write(lines.map((line) => `${line}\n`).join(""))
      if (undone.chat || undone.files) host.stderr.write("To take it back before the next prompt: pawl redo\n")
    }
    return leavesFiles(report) ? exitCodes.failed : exitCodes.success
  })
}

export const command = defineCommand({
  usage: ["undo [options]"],
  notes: [
    "Undoes the last turn of a session: its messages, and its changes of files, by tools and by shell commands. Each further undo takes one more turn. " +
      "The next prompt makes it final; until then pawl redo takes it back.",
    "A file is only restored if it still is as the session left it. If you have changed it too, your changes are merged and kept; if both overlap, the file is left alone and " +
      "listed. Files above 2 MB, and files that git ignores and no command names, are not covered.",
  ],
  words: { min: 0, max: 0 },
  options: undoOptions,
  exitCodes: { 0: "success", 1: "failed, or some files were left as they are; the output lists them" },
  examples: [
    ["pawl undo", "undo the last turn of the newest session here"],
    ["pawl undo --files", "put the files back, keep the conversation"],
    ["pawl undo --to msg_7ZZ…", "undo this message and everything after it"],
  ],
  run: undo,
})
