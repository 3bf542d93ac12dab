import type { MessageWithParts } from "@pawl/core"
import type { CommandInput } from "../arguments/command.ts"
import { wholeNumber } from "../arguments/whole-number.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { sessionUsage } from "../render/session-usage.ts"
import { transcriptOf } from "../render/transcript.ts"
import { createTheme, wantsColour } from "../render/theme.ts"
import { collected } from "../session/collected.ts"
import { namedSession } from "../session/named-session.ts"
import { withStorage } from "../storage/with-storage.ts"
import type { sessionShowOptions } from "./session-show.form.ts"

export async function sessionShow(
  { options, words }: CommandInput<typeof sessionShowOptions>,
  host: Host,
): Promise<ExitCode> {
  if (options.context) {
    const { context: _context, number: _number, ...others } = options
    const { sessionContext } = await import("./session-context.ts")
    return sessionContext({ options: others, words }, host)
  }
  const limit = options.number === undefined ? undefined : wholeNumber("-n", options.number, "session show")
  return withStorage(host, { url: options.storage }, async (storage) => {
    const session = await namedSession(storage, host, { id: words[0] })
    // The storage reads newest first, people read the other way.
    const page = limit === undefined ? {} : { limit }
    const messages: MessageWithParts[] = (await collected(storage.readMessages(session.id, page))).toReversed()
    if (options.format === "json") {
      for (const message of messages) host.stdout.write(`${JSON.stringify(message)}\n`)
      return exitCodes.success
    }
    const { stdout, environment } = host
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    const paper = { columns: stdout.isTerminal ? stdout.columns : 100, theme, directory: session.directory }
    const lines = [...transcriptOf(session, messages, paper), ...sessionUsage(session, messages, paper)]
    stdout.write(`${lines.join("\n")}\n`)
    return exitCodes.success
  })
}
