import { hidePasswords } from "@pawl/config/hide-passwords"
import type { Session, Storage } from "@pawl/core/storage"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { shownTitle } from "../../session/masked.ts"
import { plural } from "@pawl/terminal-text/quantity"
import { quoted } from "@pawl/terminal-text/quoted"
import { listenForStop, stopCode, type StopReason } from "../../run/stop.ts"
import { canAsk, confirm } from "../../session/confirm.ts"
import { sessionsByID } from "@pawl/runtime/session/find-session"
import { withEngine } from "@pawl/runtime/session/with-engine"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { createTrash, KEPT_DAYS } from "@pawl/runtime/trash/trash"
import { MISSING_SESSION, storageOptions, yesOptions } from "../../command-options.ts"

const sessionRemoveOptions = {
  ...yesOptions,
  ...storageOptions,
} as const

async function sessionRemove(
  { options, words }: CommandInput<typeof sessionRemoveOptions>,
  host: Host,
): Promise<ExitCode> {
  if (!options.yes && !canAsk(host)) {
    throw new UsageError("Confirmation needed, but stdin is not a terminal.", "Pass --yes to remove without asking.")
  }
  return withStorage(host, { url: options.storage }, async (storage, { dataDirectory }) => {
    const sessions = await sessionsByID(storage, words)
    if (!options.yes) {
      const answer = await agreed(storage, sessions, host)
      if (answer !== exitCodes.success) return answer
    }
    const trash = createTrash({ dataDirectory, now: Date.now })
    await withEngine(storage, async (engine) => {
      for (const session of sessions) {
        // It may have been removed with its parent.
        if (!(await storage.getSession(session.id))) continue
        let count = 0
        await engine.removeSession(session.id, {
          async before(all) {
            count = all.length
            await trash.keep(storage, [session, ...all.slice(1)])
          },
        })
        const below = count > 1 ? ` and ${plural(count - 1, "session")} below it` : ""
        host.stderr.write(`removed ${session.id}  ${shownTitle(host, session.title)}${below}\n`)
      }
    })
    const purged = await trash.purge()
    if (purged.length > 0)
      host.stderr.write(`deleted permanently, after ${KEPT_DAYS} days: ${plural(purged.length, "session")}\n`)
    const where = options.storage === undefined ? "" : `--storage ${quoted(hidePasswords(options.storage))} `
    host.stderr.write(
      `To restore within ${KEPT_DAYS} days: ${host.program} session restore ${where}${sessions[0]?.id ?? "<id>"}\n`,
    )
    return exitCodes.success
  })
}

async function agreed(storage: Storage, sessions: readonly Session[], host: Host): Promise<ExitCode> {
  const stop = listenForStop(host, () => performance.now())
  try {
    for (const { id, title } of sessions) {
      const below = await countBelow(storage, id)
      const more = below > 0 ? `, with ${plural(below, "session")} below it` : ""
      host.stderr.write(`  ${id}  ${shownTitle(host, title)}${more}\n`)
    }
    const question = `Remove ${sessions.length === 1 ? "it" : `these ${sessions.length}`}?`
    if (await confirm(question, { host, stop })) return exitCodes.success
    host.stderr.write("Nothing was removed.\n")
    return stop.signal.aborted ? stopCode(stop.signal.reason as StopReason) : exitCodes.failed
  } finally {
    stop.dispose()
  }
}

async function countBelow(storage: Storage, root: Session["id"]): Promise<number> {
  const ids = new Set([root])
  for (const parentID of ids) for await (const { id } of storage.listSessions({ parentID })) ids.add(id)
  return ids.size - 1
}

export const command = defineCommand({
  usage: ["session remove [options] <id> …"],
  notes: [
    "Removed sessions can be restored for 7 days: they are first written to trash/ in the data directory, and logged in " +
      "trash/audit.jsonl there. A session that another process runs is not removed.",
  ],
  words: { min: 1, max: Infinity, completes: "sessions", missing: MISSING_SESSION },
  options: sessionRemoveOptions,
  exitCodes: { 1: "failed, or you declined" },
  examples: [
    ["pawl session remove ses_7ZZ…", "remove a session after a question"],
    ["pawl session remove --yes ses_7ZZ… ses_7ZY…", "remove sessions without asking, in a script"],
  ],
  run: sessionRemove,
})
