import type { MessageWithParts, Session } from "@pawl/core"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { wholeNumber } from "../../arguments/whole-number.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import type { Output } from "../../output/output.ts"
import { sessionUsage } from "@pawl/terminal-text/session-usage"
import { transcriptOf } from "@pawl/terminal-text/transcript"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { type Shown, shownBy } from "../../session/masked.ts"
import { namedSession } from "@pawl/runtime/session/named-session"
import { oldestFirst } from "@pawl/runtime/session/oldest-first"
import { localDay, localHour } from "@pawl/reports/usage/days"
import { createUsageTable } from "@pawl/reports/usage/usage"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { formattedStorageOptions, rawOptions } from "../../command-options.ts"

const sessionShowOptions = {
  number: { short: "n", value: "<count>", summary: "print only this many of the newest messages" },
  context: { summary: "show the context window: same as pawl session context" },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

async function sessionShow({ options, words }: CommandInput<typeof sessionShowOptions>, host: Host): Promise<ExitCode> {
  if (options.context) {
    const { context: _context, number: _number, ...others } = options
    const { sessionContext } = await import("./context.ts")
    return sessionContext({ options: others, words }, host)
  }
  const limit = options.number === undefined ? undefined : wholeNumber("-n", options.number, "session show")
  return withStorage(host, { url: options.storage }, async (storage) => {
    const session = await namedSession(storage, host, { id: words[0] })
    const show = shownBy(host, options.raw)
    const messages = untilGone(oldestFirst(storage, session.id, { limit }), host.stdout, show)
    if (options.format === "json") {
      for await (const message of messages) host.stdout.write(`${JSON.stringify(message)}\n`)
    } else await printTranscript(show(session), messages, host)
    return exitCodes.success
  })
}

async function printTranscript(
  session: Session,
  messages: AsyncIterable<MessageWithParts>,
  { stdout, environment }: Host,
): Promise<void> {
  const { directory } = session
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const layout = { columns: stdout.isTerminal ? stdout.columns : 100, theme, directory }
  const table = createUsageTable({ day: localDay, hour: localHour })
  async function* counted() {
    for await (const message of messages) {
      // Messages that a fork copied are not counted.
      table.add(message, { directory })
      yield message
    }
  }
  for await (const lines of transcriptOf(session, counted(), layout))
    stdout.write(lines.map((line) => `${line}\n`).join(""))
  stdout.write(
    sessionUsage(table.total(), layout)
      .map((line) => `${line}\n`)
      .join(""),
  )
}

/** Yields messages no faster than the output is read, and stops when the reader is gone. */
async function* untilGone(
  messages: AsyncIterable<MessageWithParts>,
  stdout: Output,
  show: Shown,
): AsyncGenerator<MessageWithParts> {
  let count = 0
  for await (const message of messages) {
    if (++count % MAX_UNREAD === 0) await stdout.flushed()
    if (stdout.gone.aborted) return
    yield show(message)
  }
}

/** Number of messages that may be buffered for the reader. */
const MAX_UNREAD = 50

export const command = defineCommand({
  usage: ["session show [options] [id]"],
  notes: ["Default session: the newest one of this directory."],
  words: { min: 0, max: 1, completes: "sessions" },
  options: sessionShowOptions,
  examples: [
    ["pawl session show -n 4", "print the last four messages"],
    ["pawl session show ses_7ZZ… | less -R", "read it page by page"],
    ["pawl session show --context", "show what fills the context window"],
  ],
  run: sessionShow,
})
