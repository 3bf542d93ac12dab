import type { Engine } from "@pawl/core"
import { isSessionID, type Session } from "@pawl/core/record"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { wrap } from "@pawl/terminal-text/flow"
import { plainText } from "@pawl/plain-text"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { namedSession } from "@pawl/runtime/session/named-session"
import { requireWhole } from "@pawl/runtime/session/require-whole"
import { withEngine } from "@pawl/runtime/session/with-engine"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { formattedStorageOptions, rawOptions } from "../../command-options.ts"
import { shownBy } from "../../session/masked.ts"

const sessionPinOptions = {
  list: { short: "l", summary: "list pinned notes, oldest first" },
  remove: { value: "<pin>", summary: "remove this note" },
  dir: {
    value: "<directory>",
    completes: "directories",
    summary: "directory of the newest session (default: this one)",
  },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

type Options = CommandInput<typeof sessionPinOptions>["options"]
type Pin = NonNullable<Session["pins"]>[number]

const HELP = "See: pawl session pin --help"

async function sessionPin({ options, words }: CommandInput<typeof sessionPinOptions>, host: Host): Promise<ExitCode> {
  const { id, note } = read(words, options)
  return withStorage(host, { url: options.storage }, async (storage) => {
    const session = await namedSession(storage, host, { id, directory: options.dir })
    if (options.list) return list(session, options, host)
    await requireWhole(session)
    await withEngine(storage, async (engine) => {
      if (options.remove === undefined) await add(engine, session, note, options, host)
      else await remove(engine, session, options.remove, host)
    })
    return exitCodes.success
  })
}

/** Parses the words. A first word that is not an id belongs to the note. */
function read(words: readonly string[], { list: isList, remove: pinID }: Options): { id?: string; note: string } {
  if (isList && pinID !== undefined) throw new UsageError("--list and --remove cannot be used together.", HELP)
  const [first] = words
  const hasID = first !== undefined && isSessionID(first)
  const note = words
    .slice(hasID ? 1 : 0)
    .join(" ")
    .trim()
  if ((isList || pinID !== undefined) && note !== "") {
    throw new UsageError(
      `unexpected argument "${note}": not a session, and ${isList ? "--list" : "--remove"} takes no note.`,
      HELP,
    )
  }
  if (!isList && pinID === undefined && note === "") {
    throw new UsageError('missing note: pawl session pin "<note>"', HELP)
  }
  return hasID ? { id: first, note } : { note }
}

async function add(engine: Engine, { id }: Session, note: string, { format, raw }: Options, host: Host): Promise<void> {
  const { stdout, stderr } = host
  const { pins = [] } = await engine.pin(id, note).catch(explain)
  const pin = pins.at(-1) as Pin
  if (format === "json") stdout.write(`${JSON.stringify(shownBy(host, raw)(pin))}\n`)
  else {
    stdout.write(`${pin.id}\n`)
    stderr.write(`pinned to ${id}: the agent reads it with your next message\n`)
  }
}

/** Converts an invalid note into a UsageError. */
function explain(error: unknown): never {
  throw error instanceof RangeError ? new UsageError(error.message) : error
}

async function remove(engine: Engine, { id }: Session, pinID: string, { stderr }: Host): Promise<void> {
  await engine.unpin(id, pinID)
  stderr.write(`${pinID} is no longer pinned to ${id}\n`)
}

function list(session: Session, { format, raw }: Options, host: Host): ExitCode {
  const { stdout, stderr, environment } = host
  const { id, pins = [] } = shownBy(host, raw)(session)
  if (format === "json") for (const pin of pins) stdout.write(`${JSON.stringify(pin)}\n`)
  else if (pins.length === 0) stderr.write(`Nothing is pinned to ${id}.\n`)
  else {
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    const columns = stdout.isTerminal ? stdout.columns : 100
    for (const pin of pins) {
      const lines = wrap(plainText(pin.text), columns - 2).map((line) => `  ${line}`)
      stdout.write(`${theme.accent(pin.id)}\n${lines.join("\n")}\n`)
    }
  }
  return exitCodes.success
}

export const command = defineCommand({
  usage: ['session pin [options] [id] "<note>"', "session pin --list [id]", "session pin --remove <pin> [id]"],
  notes: [
    "A pinned note stays in the context unchanged. The agent reads it with your next message, and again after each compaction. " +
      "Default session: the newest one of this directory.",
    "A removed note stays in the context until the next compaction.",
  ],
  words: { min: 0, max: Infinity, completes: "sessions" },
  options: sessionPinOptions,
  examples: [
    ['pawl session pin "Never touch the public API."', "pin a note in the newest session"],
    ['pawl session pin ses_7ZZ… "The staging server is down."', "pin a note in another session"],
    ["pawl session pin --list", "list notes with their ids for --remove"],
  ],
  run: sessionPin,
})
