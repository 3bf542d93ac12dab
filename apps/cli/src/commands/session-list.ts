import type { CommandInput } from "../arguments/command.ts"
import { wholeNumber } from "../arguments/whole-number.ts"
import type { sessionListOptions } from "./session-list.form.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { plainLine } from "../render/plain.ts"
import { printSessions, shownLocation } from "../session/print-sessions.ts"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { collected } from "@pawl/runtime/session/collected"
import { withStorage } from "@pawl/runtime/storage/with-storage"

const DEFAULT_NUMBER = 20

export async function sessionList({ options }: CommandInput<typeof sessionListOptions>, host: Host): Promise<ExitCode> {
  const { search, title = search, archived = false } = options
  const limit = options.number === undefined ? DEFAULT_NUMBER : wholeNumber("-n", options.number, "session list")
  const directory = options.all ? undefined : await workDirectory(host, options.dir)
  return withStorage(host, { url: options.storage }, async (storage) => {
    const query = {
      ...{ parentID: null, limit, archived },
      ...(directory === undefined ? {} : { directory }),
      ...(title === undefined ? {} : { title }),
    }
    const sessions = await collected(storage.listSessions(query))
    const place = directory === undefined ? "" : ` of ${plainLine(directory)}`
    const titled = title === undefined ? "" : ` with "${plainLine(title)}" in their title`
    const kind = archived ? "archived sessions" : "sessions"
    printSessions(sessions, host, {
      ...{ format: options.format, raw: options.raw },
      hasDirectories: options.all === true,
      none: `No ${kind}${place}${titled} in ${shownLocation(storage)}.`,
    })
    return exitCodes.success
  })
}
