import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { sessionByID } from "@pawl/runtime/session/find-session"
import { requireWhole } from "@pawl/runtime/session/require-whole"
import { withEngine } from "@pawl/runtime/session/with-engine"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { storageOptions } from "../../command-options.ts"
import { shownTitle } from "../../session/masked.ts"

async function sessionRename(
  { options, words: [id = "", ...words] }: CommandInput<typeof storageOptions>,
  host: Host,
): Promise<ExitCode> {
  const title = words.join(" ").trim()
  if (title === "") throw new UsageError("The title is empty.", "See: pawl session rename --help")
  return withStorage(host, { url: options.storage }, async (storage) => {
    const session = await sessionByID(storage, id)
    await requireWhole(session)
    await withEngine(storage, (engine) => engine.updateSession(session.id, { title }))
    host.stderr.write(`${session.id} is now called "${shownTitle(host, title)}".\n`)
    return exitCodes.success
  })
}

export const command = defineCommand({
  usage: ["session rename [options] <id> <title>"],
  words: {
    min: 2,
    max: Infinity,
    completes: "sessions",
    missing: "missing session id or title: pawl session rename <id> <title>",
  },
  options: storageOptions,
  examples: [['pawl session rename ses_7ZZ… "The flaky test"', "change its title"]],
  run: sessionRename,
})
