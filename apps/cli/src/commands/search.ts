import { excerpt, type Session, type SessionID } from "@pawl/core/record"
import { type SearchHit, searchWords, type Storage } from "@pawl/core/storage"
import { type CommandInput, defineCommand } from "../arguments/command.ts"
import { UsageError } from "../arguments/usage-error.ts"
import { wholeNumber } from "../arguments/whole-number.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { plainLine } from "@pawl/plain-text"
import { grouped } from "@pawl/terminal-text/quantity"
import { searchLines } from "@pawl/terminal-text/search-lines"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { stopCode, type StopReason } from "../run/stop.ts"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { collected } from "@pawl/runtime/session/collected"
import { sessionByID } from "@pawl/runtime/session/find-session"
import { shownBy } from "../session/masked.ts"
import { shownLocation } from "@pawl/runtime/storage/shown-location"
import { longWork } from "../storage/long-work.ts"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { directoryOptions, formattedStorageOptions, rawOptions } from "../command-options.ts"

const searchOptions = {
  number: { short: "n", value: "<count>", summary: "maximum number of results (default: 20)" },
  session: { short: "s", value: "<id>", completes: "sessions", summary: "search only this session" },
  all: { short: "a", summary: "search the sessions of all directories" },
  ...directoryOptions,
  ...rawOptions,
  ...formattedStorageOptions,
} as const

const DEFAULT_NUMBER = 20
/** Number of records that take a second or more to index. */
const SLOW_RECORD_COUNT = 20_000

type Input = CommandInput<typeof searchOptions>

async function search({ options, words }: Input, host: Host): Promise<ExitCode> {
  const text = words.join(" ")
  if (searchWords(text).length === 0)
    throw new UsageError(`"${text}" contains no word to search for.`, "See: pawl search --help")
  const limit = options.number === undefined ? DEFAULT_NUMBER : wholeNumber("-n", options.number, "search")
  return withStorage(host, { url: options.storage }, async (storage) => {
    const scope = await scopeOf(storage, options, host)
    const show = shownBy(host, options.raw)
    const known = new Map<SessionID, Session | undefined>()
    const { stdout, stderr, environment } = host
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    // A hit has several lines, and a pipe has no width.
    const layout = {
      columns: stdout.isTerminal ? stdout.columns : 160,
      theme,
      query: text,
      now: Date.now(),
      hasDirectories: options.all === true,
    }
    function print(hits: readonly SearchHit[]): void {
      let last: SessionID | undefined
      for (const hit of hits) {
        const session = known.get(hit.sessionID)
        if (options.format === "json") stdout.write(jsonLine(hit, session, text))
        else {
          const isSame = hit.sessionID === last
          stdout.write(
            `${last === undefined || isSame ? "" : "\n"}${searchLines(hit, isSame ? undefined : session, layout).join("\n")}\n`,
          )
        }
        last = hit.sessionID
      }
    }
    function sayNothing(): void {
      if (options.format !== "json") {
        stderr.write(`Nothing with "${plainLine(text)}"${scope.place} in ${shownLocation(storage)}.\n`)
      }
    }
    return longWork(host, {
      label: "searching",
      async work({ signal, onProgress }) {
        const progress = { signal, onProgress: announced(host, onProgress) }
        const found = await collected(storage.search({ text, limit, ...scope.query }, progress))
        for (const { sessionID } of found) {
          if (!known.has(sessionID)) known.set(sessionID, show(await storage.getSession(sessionID)))
        }
        // Mask before cutting, because half of a secret is not recognized. A match only inside a secret is not a hit: it would
        // reveal how the secret begins.
        const hits = found.flatMap((hit) => {
          const shown = show(hit)
          return shown.text === hit.text || hasWords(shown.text, text) ? [shown] : []
        })
        return { hits, stopped: signal.aborted ? (signal.reason as StopReason) : undefined }
      },
      tell({ hits, stopped }) {
        print(hits)
        if (stopped === undefined) {
          if (hits.length === 0) sayNothing()
          return exitCodes.success
        }
        stderr.write(
          "Stopped before everything was searched, so results may be missing. Run the same command to continue.\n",
        )
        return stopCode(stopped)
      },
    })
  })
}

function hasWords(text: string, query: string): boolean {
  const words = searchWords(text)
  return searchWords(query).every((wanted) => words.some((word) => word.startsWith(wanted)))
}

/** Reports the progress. Without a terminal, prints one notice if many records must be indexed first. */
function announced({ stderr }: Pick<Host, "stderr">, onProgress: (done: number, total: number) => void) {
  let isAnnounced = stderr.isTerminal
  return (done: number, total: number) => {
    onProgress(done, total)
    if (isAnnounced || total - done < SLOW_RECORD_COUNT) return
    isAnnounced = true
    stderr.write(`Indexing ${grouped(total - done)} new records first.\n`)
  }
}

/** Returns the sessions to search: one, all, or those of a directory. */
async function scopeOf(storage: Storage, { session, all, dir }: Input["options"], host: Host) {
  if (session !== undefined) {
    const { id } = await sessionByID(storage, session)
    return { query: { sessionID: id }, place: ` in ${id}` }
  }
  if (all) return { query: {}, place: "" }
  const directory = await workDirectory(host, dir)
  return { query: { directory }, place: ` in the sessions of ${plainLine(directory)}` }
}

function jsonLine(
  { sessionID, messageID, partID, text }: SearchHit,
  session: Session | undefined,
  query: string,
): string {
  const { title, directory } = session ?? {}
  return `${JSON.stringify({ sessionID, messageID, partID, title, directory, excerpt: excerpt(text, query) })}\n`
}

export const command = defineCommand({
  usage: ["search [options] <text>"],
  notes: [
    "Finds prompts, answers, tool inputs and tool outputs that contain every word, or words that begin with it. Case is " +
      "ignored. The newest results come first.",
    "Records written since the last search are indexed first. Ctrl-C stops the indexing and prints the results so far; the same " +
      "command continues it.",
  ],
  words: { min: 1, max: Infinity, missing: "missing text: pawl search <text>" },
  options: searchOptions,
  exitCodes: {
    0: "searched, with or without results",
    130: "interrupted (Ctrl-C) before everything was searched",
  },
  examples: [
    ["pawl search flaky test", "search the sessions of this directory"],
    ["pawl search --all --format json ECONNRESET", "search all sessions and print JSON"],
  ],
  run: search,
})
