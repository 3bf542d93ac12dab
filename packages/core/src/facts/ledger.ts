import type { MessageWithParts } from "../record/message.ts"
import { oneLine, shortCommand, shownRun } from "./command-text.ts"
import type { TestRun } from "./failing-tests.ts"
import { type Fact, factsOf } from "./facts.ts"

/**
 * What a machine knows of the work so far, folded over finished tool calls. A JSON value; in each list the newest stands
 * last. Lists, because objects would reorder keys such as "1". Of everything but `modified` the oldest is dropped: 100
 * files read, 40 commands, failing tests of 40 commands (20 of each), 50 decisions, 80 errors. Besides the modified files it takes
 * 250,000 characters of JSON at most, where paths have 100 or fewer.
 */
export interface Ledger {
  /** Every file that was changed, moved or deleted. */
  readonly modified: readonly ModifiedFile[]
  /** Those that were read and are not modified. */
  readonly read: readonly ReadFile[]
  /** Each command once for each directory, as it ended last. */
  readonly commands: readonly CommandEntry[]
  readonly failing: readonly FailingTests[]
  /** What tools recorded as decided. */
  readonly decisions: readonly string[]
  /** What failed calls and commands said, on one line each. Absent in what earlier versions stored. */
  readonly errors?: readonly MetError[]
}

export interface MetError {
  /** The command, or the tool's name. */
  readonly source: string
  readonly text: string
}

export interface ReadFile {
  /** Absolute. */
  readonly path: string
  /** Of the content as last read; absent where the tool told none. */
  readonly readHash?: string
}

export interface ModifiedFile extends ReadFile {
  /** Of the content after the last modification; absent where the tool told none. */
  readonly hash?: string
  /** Where it is not any more; it has no `hash` then. */
  readonly gone?: { readonly movedTo?: string }
}

export interface CommandEntry {
  /** On one line, cut in its middle where it is long. */
  readonly command: string
  /** Absolute; absent: the session's. */
  readonly directory?: string
  /** Of the last run; absent where that did not end by itself. */
  readonly exit?: number
  /** How often it ran, where more than once. */
  readonly runs?: number
}

/** The tests that failed when a command ran last. */
export interface FailingTests {
  readonly command: string
  readonly directory?: string
  readonly tests: readonly string[]
}

export const emptyLedger: Ledger = { modified: [], read: [], commands: [], failing: [], decisions: [], errors: [] }

const MOST = { read: 100, commands: 40, failing: 40, decisions: 50, errors: 80 }
const LONGEST_DECISION = 500

/** The ledger after these messages, in the order of their calls. Folding in pieces gives the same. */
export function foldLedger(before: Ledger, messages: readonly MessageWithParts[]): Ledger {
  const draft: Draft = {
    modified: new Map(before.modified.map((file) => [file.path, file])),
    read: new Map(before.read.map((file) => [file.path, file])),
    commands: new Map(before.commands.map((entry) => [keyOf(entry), entry])),
    failing: new Map(before.failing.map((entry) => [keyOf(entry), entry])),
    decisions: new Set(before.decisions),
    errors: new Map(before.errors?.map((error) => [error.text, error])),
  }
  for (const message of messages) for (const fact of factsOf(message)) take(draft, fact)
  return {
    modified: [...draft.modified.values()],
    read: [...draft.read.values()],
    commands: [...draft.commands.values()],
    failing: [...draft.failing.values()],
    decisions: [...draft.decisions],
    errors: [...draft.errors.values()],
  }
}

/** In order of insertion: what is newer is put behind the rest. */
interface Draft {
  readonly modified: Map<string, ModifiedFile>
  readonly read: Map<string, ReadFile>
  readonly commands: Map<string, CommandEntry>
  readonly failing: Map<string, FailingTests>
  readonly decisions: Set<string>
  readonly errors: Map<string, MetError>
}

function take(draft: Draft, fact: Fact): void {
  switch (fact.type) {
    case "read":
      return takeRead(draft, fact.path, fact.hash)
    case "modified":
      return putModified(draft, fact.path, fact.isDeleted ? { gone: {} } : hashField(fact.hash))
    case "moved": {
      const hash = fact.hash ?? draft.modified.get(fact.from)?.hash
      putModified(draft, fact.from, { gone: { movedTo: fact.path } })
      return putModified(draft, fact.path, hashField(hash))
    }
    case "error":
      putLast(draft.errors, fact.text, { source: shortCommand(fact.source), text: fact.text })
      return dropOldest(draft.errors, MOST.errors)
    case "command":
      return takeCommand(draft, fact)
    case "decision": {
      const text = oneLine(fact.text).slice(0, LONGEST_DECISION).toWellFormed()
      draft.decisions.delete(text)
      draft.decisions.add(text)
      return dropOldest(draft.decisions, MOST.decisions)
    }
  }
}

function takeRead({ modified, read }: Draft, path: string, hash: string | undefined): void {
  const known = modified.get(path)
  const readHash = hash === undefined ? {} : { readHash: hash }
  if (known) {
    // It is there again, whoever put it there.
    modified.set(path, { path, ...hashField(known.hash), ...readHash })
    return
  }
  putLast(read, path, { path, ...readHash })
  dropOldest(read, MOST.read)
}

function putModified({ modified, read }: Draft, path: string, change: Pick<ModifiedFile, "hash" | "gone">): void {
  const { readHash } = modified.get(path) ?? read.get(path) ?? {}
  read.delete(path)
  putLast(modified, path, { path, ...(readHash === undefined ? {} : { readHash }), ...change })
}

function takeCommand(draft: Draft, { command, directory, exit, tests }: Extract<Fact, { type: "command" }>): void {
  const place = directory === undefined ? {} : { directory }
  const line = oneLine(command)
  const entry = { command: shortCommand(line), ...place }
  const runs = (draft.commands.get(keyOf(entry))?.runs ?? (draft.commands.has(keyOf(entry)) ? 1 : 0)) + 1
  const times = runs > 1 ? { runs } : {}
  putLast(draft.commands, keyOf(entry), { ...entry, ...(exit === undefined ? {} : { exit }), ...times })
  dropOldest(draft.commands, MOST.commands)
  if (tests) takeTests(draft, { command: shortCommand(shownRun(line)), ...place }, tests)
}

function takeTests({ failing }: Draft, run: Omit<FailingTests, "tests">, { isFailed, failing: tests }: TestRun): void {
  const known = failing.get(keyOf(run))
  if (!isFailed) {
    failing.delete(keyOf(run))
    return
  }
  // A run may fail without showing the names: those of the run before are the best there is.
  putLast(failing, keyOf(run), { ...run, tests: tests.length > 0 ? tests : (known?.tests ?? []) })
  dropOldest(failing, MOST.failing)
}

function keyOf({ command, directory = "" }: { command: string; directory?: string }): string {
  return `${directory}\n${command}`
}

function hashField(hash: string | undefined): { hash?: string } {
  return hash === undefined ? {} : { hash }
}

function putLast<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key)
  map.set(key, value)
}

function dropOldest(entries: Map<string, unknown> | Set<string>, most: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= most) return
    entries.delete(key)
  }
}
