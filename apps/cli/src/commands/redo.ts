import { type CommandInput, defineCommand } from "../arguments/command.ts"
import { formattedStorageOptions } from "../command-options.ts"
import type { ExitCode } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { changeUndo } from "./undo.ts"

const redoOptions = {
  session: {
    short: "s",
    value: "<id>",
    completes: "sessions",
    summary: "session (default: the newest of this directory)",
  },
  all: { summary: "take back all undos" },
  ...formattedStorageOptions,
} as const

async function redo({ options }: CommandInput<typeof redoOptions>, host: Host): Promise<ExitCode> {
  const last = options.all !== true
  return changeUndo({ options, host }, (engine, { id: sessionID }) => engine.unrevert({ sessionID, last }), true)
}

export const command = defineCommand({
  usage: ["redo [options]"],
  notes: [
    "Takes back the last undo of a session: its messages are there again, and its files as they were. The next prompt ends that possibility.",
  ],
  words: { min: 0, max: 0 },
  options: redoOptions,
  exitCodes: { 0: "success", 1: "failed, or some files were left as they are; the output lists them" },
  examples: [
    ["pawl redo", "take back the last undo"],
    ["pawl redo --all", "take back all undos"],
  ],
  run: redo,
})
