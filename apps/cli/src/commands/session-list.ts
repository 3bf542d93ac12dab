import type { CommandInput } from "../arguments/command.ts"
import { UsageError } from "../arguments/usage-error.ts"
import type { sessionListOptions } from "../command-table.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { plainLine } from "../render/plain.ts"
import { sessionTable } from "../render/session-table.ts"
import { createTheme, wantsColour } from "../render/theme.ts"
import { workDirectory } from "../run/work-directory.ts"
import { collected } from "../session/collected.ts"
import { openStorage } from "../session/open-storage.ts"
import { readDataDirectory } from "../settings/settings.ts"

const UNLESS_TOLD = 20

export async function sessionList({ options }: CommandInput<typeof sessionListOptions>, host: Host): Promise<ExitCode> {
  const limit = options.number === undefined ? UNLESS_TOLD : wholeNumber(options.number)
  const directory = options.all ? undefined : await workDirectory(host, options.dir)
  const storage = await openStorage(await readDataDirectory(host))
  try {
    const query = { parentID: null, limit, ...(directory === undefined ? {} : { directory }) }
    const sessions = await collected(storage.listSessions(query))
    if (options.format === "json") {
      for (const session of sessions) host.stdout.write(`${JSON.stringify(session)}\n`)
    } else if (sessions.length === 0) {
      host.stderr.write(
        `No sessions${directory === undefined ? "" : ` of ${plainLine(directory)}`} in ${plainLine(storage.location)}.\n`,
      )
    } else {
      const theme = createTheme(wantsColour(host.environment, host.stdout.isTerminal))
      // A pipe has no width to keep to.
      const columns = host.stdout.isTerminal ? host.stdout.columns : Infinity
      const lines = sessionTable(sessions, { columns, theme, now: Date.now(), hasDirectories: options.all === true })
      host.stdout.write(`${lines.join("\n")}\n`)
    }
    return exitCodes.success
  } finally {
    await storage.close()
  }
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new UsageError(`-n is a whole number above 0, got "${text}".`, "See: pawl session list --help")
}
