import type { CommandInput } from "../arguments/command.ts"
import type { formattedStorageOptions } from "../command-options.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { printSessions } from "../session/print-sessions.ts"
import { sessionByID } from "../session/find-session.ts"
import { withEngine } from "../session/with-engine.ts"
import { withStorage } from "../storage/with-storage.ts"

export async function sessionChildren(
  { options, words }: CommandInput<typeof formattedStorageOptions>,
  host: Host,
): Promise<ExitCode> {
  return withStorage(host, { url: options.storage }, async (storage) => {
    const { id } = await sessionByID(storage, words[0] ?? "")
    const sessions = await withEngine(storage, (engine) => engine.children(id))
    printSessions(sessions, host, { format: options.format, hasDirectories: false, none: `No sessions below ${id}.` })
    return exitCodes.success
  })
}
