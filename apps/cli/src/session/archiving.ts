import type { Command } from "../arguments/command.ts"
import type { storageOptions } from "../command-options.ts"
import { exitCodes } from "../exit-code.ts"
import { shownTitle } from "./masked.ts"
import { sessionsByID } from "@pawl/runtime/session/find-session"
import { requireWhole } from "@pawl/runtime/session/require-whole"
import { withEngine } from "@pawl/runtime/session/with-engine"
import { withStorage } from "@pawl/runtime/storage/with-storage"

/** Creates the handler that archives or unarchives sessions. It finds all sessions before it changes the first one. */
export function archiving(archived: boolean): Command<typeof storageOptions>["run"] {
  return async ({ options, words }, host) => {
    return withStorage(host, { url: options.storage }, async (storage) => {
      const sessions = await sessionsByID(storage, words)
      // An incomplete session stays archived until its transfer has finished.
      if (!archived) await Promise.all(sessions.map(requireWhole))
      await withEngine(storage, async (engine) => {
        for (const { id, title } of sessions) {
          await engine.updateSession(id, { archived })
          host.stderr.write(`${archived ? "archived" : "unarchived"} ${id}  ${shownTitle(host, title)}\n`)
        }
      })
      return exitCodes.success
    })
  }
}
