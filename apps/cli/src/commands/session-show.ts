import type { MessageWithParts } from "@pawl/core"
import type { CommandInput } from "../arguments/command.ts"
import type { formattedStorageOptions } from "../command-options.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { transcriptOf } from "../render/transcript.ts"
import { createTheme, wantsColour } from "../render/theme.ts"
import { sessionByID } from "../session/find-session.ts"
import { collected } from "../session/collected.ts"
import { withStorage } from "../storage/with-storage.ts"

export async function sessionShow(
  { options, words }: CommandInput<typeof formattedStorageOptions>,
  host: Host,
): Promise<ExitCode> {
  return withStorage(host, { url: options.storage }, async (storage) => {
    const session = await sessionByID(storage, words[0] ?? "")
    // The storage reads newest first, people read the other way.
    const messages: MessageWithParts[] = (await collected(storage.readMessages(session.id))).toReversed()
    if (options.format === "json") {
      for (const message of messages) host.stdout.write(`${JSON.stringify(message)}\n`)
      return exitCodes.success
    }
    const { stdout, environment } = host
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    const paper = { columns: stdout.isTerminal ? stdout.columns : 100, theme, directory: session.directory }
    stdout.write(`${transcriptOf(session, messages, paper).join("\n")}\n`)
    return exitCodes.success
  })
}
