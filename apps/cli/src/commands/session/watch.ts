import { plainLine } from "@pawl/plain-text"
import { followedMessages } from "@pawl/runtime/session/followed-messages"
import { namedSession } from "@pawl/runtime/session/named-session"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { transcriptOf } from "@pawl/terminal-text/transcript"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { wholeNumber } from "../../arguments/whole-number.ts"
import { formattedStorageOptions, rawOptions } from "../../command-options.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { listenForStop } from "../../run/stop.ts"
import { shownBy } from "../../session/masked.ts"

/** Number of messages that are shown at first. */
const SHOWN_FIRST = 4

const sessionWatchOptions = {
  number: {
    short: "n",
    value: "<count>",
    summary: "begin with this many of the newest messages",
    default: `${SHOWN_FIRST}`,
  },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

type Input = CommandInput<typeof sessionWatchOptions>

async function sessionWatch({ options, words }: Input, host: Host): Promise<ExitCode> {
  const { stdout, stderr, environment } = host
  const limit = options.number === undefined ? SHOWN_FIRST : wholeNumber("-n", options.number, "session watch")
  const stop = listenForStop(host, () => performance.now())
  try {
    return await withStorage(host, { url: options.storage }, async (storage) => {
      const session = await namedSession(storage, host, { id: words[0] })
      const show = shownBy(host, options.raw)
      stderr.write(`Watching ${session.id} (${plainLine(show(session).title)}) until Ctrl-C.\n`)
      async function* shown() {
        for await (const message of followedMessages(storage, session.id, { limit, signal: stop.signal })) {
          yield show(message)
          await stdout.flushed()
        }
      }
      if (options.format === "json") {
        for await (const message of shown()) stdout.write(`${JSON.stringify(message)}\n`)
      } else {
        const theme = createTheme(wantsColour(environment, stdout.isTerminal))
        const layout = { columns: stdout.isTerminal ? stdout.columns : 100, theme, directory: session.directory }
        for await (const lines of transcriptOf(show(session), shown(), layout)) {
          stdout.write(lines.map((line) => `${line}\n`).join(""))
        }
      }
      if (!stop.signal.aborted) stderr.write("The session was removed.\n")
      return exitCodes.success
    })
  } finally {
    stop.dispose()
  }
}

export const command = defineCommand({
  usage: ["session watch [options] [id]"],
  notes: [
    "Prints each message of a session when it is complete, whichever process works on it. Default session: the newest one of this directory.",
  ],
  words: { min: 0, max: 1, completes: "sessions" },
  options: sessionWatchOptions,
  exitCodes: { 0: "stopped by a signal, or the session was removed" },
  examples: [
    ["pawl session watch", "follow the newest session here from another terminal"],
    ["pawl session watch --format json ses_7ZZ… | jq .info.role", "follow a session from a script"],
  ],
  run: sessionWatch,
})
