import { isSessionID } from "@pawl/core/record"
import { type LongWork, type Session, SessionBusyError, type SessionID, type Storage } from "@pawl/core/storage"
import { derivedSessionID } from "../derived-ids.ts"
import { type Dropped, droppedOf } from "../dropped.ts"
import type { PathMapping } from "../path-mapping.ts"
import { type Continuation, defaultContinuation } from "../restriction.ts"
import type { Outcome } from "../session-writer.ts"
import { bringOpenCodeSession } from "./bring-session.ts"
import { openDatabaseReader } from "./database-reader.ts"
import { isText, timeOr, record } from "./foreign.ts"
import { isInRing } from "./is-in-ring.ts"
import { mappedSession } from "./mapped-session.ts"
import { openCodeSession } from "./opencode-session.ts"
import { type Environment, openCodeLocations } from "./places.ts"
import type { OpenCodeProblem, OpenCodeReader, Report } from "./reader.ts"
import { withinLimits } from "./within-limits.ts"
import { openTreeReader } from "./tree-reader.ts"

export interface OpenCodeImportOptions extends LongWork {
  readonly paths?: readonly PathMapping[]
  /**
   * `new` (default): session ids are derived from OpenCode's id and time, always with the same result, so that imported
   * sessions sort among pawl's; OpenCode's id is kept in `metadata.opencode.id`. `keep`: ids stay; then these sessions
   * sort before or after all others, because pawl sorts by id. Message ids stay unless they do not sort by time. Part
   * ids stay.
   */
  readonly ids?: "keep" | "new"
  /** Returns pawl's project id of a directory. Default: OpenCode's project id. */
  readonly projectID?: (directory: string) => string | undefined | Promise<string | undefined>
  /** How imported sessions are continued, as for documents. */
  readonly continuation?: Continuation
  /** Environment for finding the default locations. Default: the environment of this process. */
  readonly environment?: Environment
}

export interface OpenCodeReport {
  /** Locations that were read. */
  readonly locations: readonly string[]
  readonly sessions: readonly ImportedOpenCodeSession[]
  readonly messages: number
  readonly parts: number
  /** Lists dropped rules that allow, and dropped actions that would start when a session is continued. */
  readonly dropped: readonly Dropped[]
  /** At most one per subject. */
  readonly problems: readonly OpenCodeProblem[]
}

export interface ImportedOpenCodeSession {
  readonly id: SessionID
  /** OpenCode's id. */
  readonly from: string
  /**
   * `conflict`: changed on both sides since the last import. `busy`: running at the moment. `unreadable`: see the
   * problems. In these cases nothing was written.
   */
  readonly outcome: Outcome | "conflict" | "busy" | "unreadable"
}

/**
 * Imports OpenCode's sessions from a database, a tree of JSON files, or a directory with both; without a path from the
 * default locations. Only reads the source. A second run imports what is new or changed in OpenCode. Unreadable records
 * are reported and skipped.
 */
export async function importOpenCode(
  path: string | undefined,
  storage: Storage,
  options: OpenCodeImportOptions = {},
): Promise<OpenCodeReport> {
  const problems = createProblems()
  const places = await openCodeLocations(path, options.environment ?? process.env)
  const readers: OpenCodeReader[] = []
  try {
    for (const { kind, path } of places) {
      readers.push(
        kind === "database" ? openDatabaseReader(path, problems.report) : openTreeReader(path, problems.report),
      )
    }
    const imported = await importFrom(readers, storage, options, problems.report)
    return { locations: readers.map(({ location }) => location), ...imported, problems: problems.all() }
  } finally {
    for (const reader of readers) reader.close()
  }
}

/** If several readers have a session, the first one is used. */
export async function importFrom(
  readers: readonly OpenCodeReader[],
  storage: Storage,
  options: OpenCodeImportOptions,
  report: Report,
): Promise<Pick<OpenCodeReport, "sessions" | "messages" | "parts" | "dropped">> {
  const owners = new Map<string, OpenCodeReader>()
  for (const reader of readers.map((each) => withinLimits(each, report))) {
    for (const id of await reader.sessionIDs()) if (!owners.has(id)) owners.set(id, reader)
  }
  const sessionIDs = await newSessionIDs(owners, options.ids ?? "new")
  const sessions: ImportedOpenCodeSession[] = []
  const dropped: Dropped[] = []
  let [messages, parts] = [0, 0]
  for (const [from, reader] of owners) {
    options.signal?.throwIfAborted()
    options.onProgress?.(sessions.length, owners.size)
    const id = (sessionIDs.get(from) ?? from) as SessionID
    const brought = await importOne({ reader, from, id, sessionIDs, owners }, storage, options, report)
    sessions.push({ id, from, outcome: brought.outcome })
    messages += brought.messages
    parts += brought.parts
    dropped.push(...brought.dropped)
  }
  options.onProgress?.(owners.size, owners.size)
  return { sessions, messages, parts, dropped: droppedOf(dropped, sessions) }
}

interface Place {
  readonly reader: OpenCodeReader
  readonly from: string
  readonly id: SessionID
  readonly sessionIDs: ReadonlyMap<string, string>
  readonly owners: ReadonlyMap<string, OpenCodeReader>
}

interface Done {
  readonly outcome: ImportedOpenCodeSession["outcome"]
  readonly messages: number
  readonly parts: number
  readonly dropped: readonly Dropped[]
}

async function importOne(
  place: Place,
  storage: Storage,
  options: OpenCodeImportOptions,
  report: Report,
): Promise<Done> {
  const { reader, from, sessionIDs } = place
  const session = await toSession(place, options, report)
  if (!session) {
    report(from, "The session has a shape that is not known and was left out.")
    return { outcome: "unreadable", messages: 0, parts: 0, dropped: [] }
  }
  const { paths = [], continuation = defaultContinuation } = options
  const source = await openCodeSession(reader, session, { from, paths, sessionIDs, report, continuation })
  try {
    const brought = await bringOpenCodeSession(storage, source, options.signal)
    return { ...brought, dropped: source.dropped() }
  } catch (error) {
    if (error instanceof SessionBusyError) return { outcome: "busy", messages: 0, parts: 0, dropped: [] }
    throw error
  }
}

async function toSession(
  { reader, from, id, sessionIDs, owners }: Place,
  { projectID }: OpenCodeImportOptions,
  report: Report,
): Promise<Session | undefined> {
  const raw = await reader.session(from)
  const parent = record(raw)["parentID"]
  const isParentKnown = isText(parent) && owners.has(parent) && !(await isInRing(from, owners))
  if (isText(parent) && !isParentKnown) {
    const why = owners.has(parent) ? "stands below it" : "is not there"
    report(from, `Its parent ${parent} ${why}; it was imported as a root.`, "kept")
  }
  const parentID = isParentKnown ? ((sessionIDs.get(parent) ?? parent) as SessionID) : undefined
  const session = mappedSession(raw, { id, from, parentID }, report)
  const project = session && (await projectID?.(session.directory))
  return session && (project === undefined ? session : { ...session, projectID: project })
}

async function newSessionIDs(
  owners: ReadonlyMap<string, OpenCodeReader>,
  ids: "keep" | "new",
): Promise<ReadonlyMap<string, string>> {
  const anew = new Map<string, string>()
  for (const [id, reader] of owners) {
    if (ids === "keep" && isSessionID(id)) continue
    const { time } = record(await reader.session(id))
    const created = timeOr(record(time)["created"], 0)
    anew.set(id, derivedSessionID({ time: { created, updated: created } }, id))
  }
  return anew
}

/** Reports each problem once, although rows are read more than once. */
export function createProblems(): { report: Report; all(): OpenCodeProblem[] } {
  const problems = new Map<string, OpenCodeProblem>()
  return {
    report(subject, message, outcome = "left out") {
      // The first reason for leaving something out is the most specific one.
      if (problems.get(subject)?.isLeftOut) return
      problems.set(subject, { subject, message, isLeftOut: outcome === "left out" })
    },
    all: () => Array.from(problems.values()),
  }
}
