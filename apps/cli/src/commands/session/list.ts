import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { wholeNumber } from "../../arguments/whole-number.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { plainLine } from "@pawl/plain-text"
import { shownLocation } from "@pawl/runtime/storage/shown-location"
import { printSessions } from "../../session/print-sessions.ts"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { collected } from "@pawl/runtime/session/collected"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { directoryOptions, formattedStorageOptions, rawOptions } from "../../command-options.ts"

const sessionListOptions = {
  number: { short: "n", value: "<count>", summary: "maximum number of sessions (default: 20)" },
  all: { short: "a", summary: "list the sessions of all directories" },
  ...directoryOptions,
  title: { value: "<text>", summary: "list sessions whose title contains this text" },
  search: { value: "<text>", summary: "same as --title" },
  archived: { summary: "list archived sessions instead" },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

const DEFAULT_NUMBER = 20

async function sessionList({ options }: CommandInput<typeof sessionListOptions>, host: Host): Promise<ExitCode> {
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
    const ofDirectory = directory === undefined ? "" : ` of ${plainLine(directory)}`
    const titled = title === undefined ? "" : ` with "${plainLine(title)}" in their title`
    const kind = archived ? "archived sessions" : "sessions"
    printSessions(sessions, host, {
      ...{ format: options.format, raw: options.raw },
      hasDirectories: options.all === true,
      none: `No ${kind}${ofDirectory}${titled} in ${shownLocation(storage)}.`,
    })
    return exitCodes.success
  })
}

export const command = defineCommand({
  usage: ["session list [options]"],
  words: { min: 0, max: 0 },
  options: sessionListOptions,
  examples: [
    ["pawl session list -n 5", "list the newest five sessions"],
    ["pawl session list --all --format json", "list all sessions as JSON"],
  ],
  run: sessionList,
})
