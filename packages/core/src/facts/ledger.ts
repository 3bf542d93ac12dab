import type { MessageWithParts } from "../record/message.ts"
import { oneLine, shortCommand, shownRun } from "./command-text.ts"
import type { OutputFacts, TestRun } from "../contracts/output-facts.ts"
import { type Fact, factsOf } from "./facts.ts"

/**
 * Facts about the work so far, folded over finished tool calls. A JSON value. The newest entry of each list is last.
 * Uses lists, because objects would reorder keys such as "1". The oldest entries are dropped, except for `modified`:
 * keeps 100 read files, 40 commands, failing tests of 40 commands (20 of each), 50 decisions and 80 errors. Takes at
 * most 250,000 characters of JSON without the modified files, if paths have 100 characters or fewer.
 */
export interface Ledger {
  /** Every changed, moved or deleted file. */
  readonly modified: readonly ModifiedFile[]
  /** Files that were read and not modified. */
  readonly read: readonly ReadFile[]
  /** Each command once for each directory, with its last result. */
  readonly commands: readonly CommandEntry[]
  readonly failing: readonly FailingTests[]
  /** Decisions that tools recorded. */
  readonly decisions: readonly string[]
  /** Errors of failed calls and commands, on one line each. Missing in ledgers of earlier versions. */
  readonly errors?: readonly MetError[]
}

export interface MetError {
  /** The command, or the tool's name. */
  readonly source: string
  readonly text: string
}

export interface ReadFile {
  /** Absolute path. */
  readonly path: string
  /** Hash of the content as last read; missing if the tool did not report it. */
  readonly readHash?: string
}

export interface ModifiedFile extends ReadFile {
  /** Hash of the content after the last modification; missing if the tool did not report it. */
  readonly hash?: string
  /** Set if the path no longer exists; then `hash` is missing. */
  readonly gone?: { readonly movedTo?: string }
}

export interface CommandEntry {
  /** The command on one line, cut in the middle if it is long. */
  readonly command: string
  /** Absolute path. Default: the session's directory. */
  readonly directory?: string
  /** Exit code of the last run; missing if that did not end by itself. */
  readonly exit?: number
  /** Number of runs if there were several. */
  readonly runs?: number
}

/** The tests that failed in a command's last run. */
export interface FailingTests {
  readonly command: string
  readonly directory?: string
  readonly tests: readonly string[]
}

export const emptyLedger: Ledger = { modified: [], read: [], commands: [], failing: [], decisions: [], errors: [] }

const MAX_ENTRIES = { read: 100, commands: 40, failing: 40, decisions: 50, errors: 80 }
const MAX_DECISION_LENGTH = 500

/** Returns the ledger after these messages, in the order of their calls. Folding in pieces gives the same result. */
export function foldLedger(before: Ledger, messages: readonly MessageWithParts[], reader: OutputFacts): Ledger {
  const draft: Draft = {
    modified: new Map(before.modified.map((file) => [file.path, file])),
    read: new Map(before.read.map((file) => [file.path, file])),
    commands: new Map(before.commands.map((entry) => [keyOf(entry), entry])),
    failing: new Map(before.failing.map((entry) => [keyOf(entry), entry])),
    decisions: new Set(before.decisions),
    errors: new Map(before.errors?.map((error) => [error.text, error])),
  }
  for (const message of messages) for (const fact of factsOf(message, reader)) take(draft, fact)
  return {
    modified: [...draft.modified.values()],
    read: [...draft.read.values()],
    commands: [...draft.commands.values()],
    failing: [...draft.failing.values()],
    decisions: [...draft.decisions],
    errors: [...draft.errors.values()],
  }
}

/** Maps in order of insertion: newer entries come last. */
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
      return dropOldest(draft.errors, MAX_ENTRIES.errors)
    case "command":
      return takeCommand(draft, fact)
    case "decision": {
      const text = oneLine(fact.text).slice(0, MAX_DECISION_LENGTH).toWellFormed()
      draft.decisions.delete(text)
      draft.decisions.add(text)
      return dropOldest(draft.decisions, MAX_ENTRIES.decisions)
    }
  }
}

function takeRead({ modified, read }: Draft, path: string, hash: string | undefined): void {
  const known = modified.get(path)
  const readHash = hash === undefined ? {} : { readHash: hash }
  if (known) {
    // The file exists again, whatever created it.
    modified.set(path, { path, ...hashField(known.hash), ...readHash })
    return
  }
  putLast(read, path, { path, ...readHash })
  dropOldest(read, MAX_ENTRIES.read)
}

function putModified({ modified, read }: Draft, path: string, change: Pick<ModifiedFile, "hash" | "gone">): void {
  const { readHash } = modified.get(path) ?? read.get(path) ?? {}
  read.delete(path)
  putLast(modified, path, { path, ...(readHash === undefined ? {} : { readHash }), ...change })
}

function takeCommand(draft: Draft, { command, directory, exit, tests }: Extract<Fact, { type: "command" }>): void {
  const workdir = directory === undefined ? {} : { directory }
  const line = oneLine(command)
  const entry = { command: shortCommand(line), ...workdir }
  const runs = (draft.commands.get(keyOf(entry))?.runs ?? (draft.commands.has(keyOf(entry)) ? 1 : 0)) + 1
  const times = runs > 1 ? { runs } : {}
  putLast(draft.commands, keyOf(entry), { ...entry, ...(exit === undefined ? {} : { exit }), ...times })
  dropOldest(draft.commands, MAX_ENTRIES.commands)
  if (tests) takeTests(draft, { command: shortCommand(shownRun(line)), ...workdir }, tests)
}

function takeTests({ failing }: Draft, run: Omit<FailingTests, "tests">, { isFailed, failing: tests }: TestRun): void {
  const known = failing.get(keyOf(run))
  if (!isFailed) {
    failing.delete(keyOf(run))
    return
  }
  // A run may fail without printing names: the names of the previous run are the best estimate.
  putLast(failing, keyOf(run), { ...run, tests: tests.length > 0 ? tests : (known?.tests ?? []) })
  dropOldest(failing, MAX_ENTRIES.failing)
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
