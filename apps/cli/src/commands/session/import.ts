import { createReadStream } from "node:fs"
import { resolve } from "node:path"
import type { Storage } from "@pawl/core/storage"
import { childEnvironment } from "@pawl/core/tool"
import { findProjectID } from "@pawl/workspace"
import type { Dropped, OpenCodeReport, PathMapping } from "@pawl/transfer"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import { statusOf } from "@pawl/files/status-of"
import type { Host } from "../../host.ts"
import { droppedCounts, droppedLines } from "../../render/dropped-lines.ts"
import { plainLine } from "@pawl/plain-text"
import { grouped, plural } from "@pawl/terminal-text/quantity"
import { longWork } from "../../storage/long-work.ts"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { formattedStorageOptions } from "../../command-options.ts"

const sessionImportOptions = {
  map: { value: "<from>=<to>", multiple: true, summary: "replace the path prefix <from> with <to>" },
  "new-ids": { summary: "import a copy with new ids" },
  "from-opencode": { summary: "import OpenCode's sessions, from its default directory or a path" },
  ...formattedStorageOptions,
} as const

type Input = CommandInput<typeof sessionImportOptions>

async function sessionImport({ options, words }: Input, host: Host): Promise<ExitCode> {
  const paths = (options.map ?? []).map(mapping)
  const isFromOpenCode = options["from-opencode"] === true
  const [file] = words
  if (file === undefined && !isFromOpenCode) {
    throw new UsageError("missing file: pawl session import <file>", "See: pawl session import --help")
  }
  return withStorage(host, { url: options.storage, mayCreate: true }, (storage) => {
    if (isFromOpenCode) return importOpenCode(storage, file, paths, { options, host })
    return importDocument(storage, file ?? "", paths, { options, host })
  })
}

interface Call {
  readonly options: Input["options"]
  readonly host: Host
}

async function importDocument(
  storage: Storage,
  file: string,
  paths: readonly PathMapping[],
  { options, host }: Call,
): Promise<ExitCode> {
  const document = await readDocument(file, host)
  const { importSession, ImportConflictError } = await import("@pawl/transfer")
  const { documentContinuation } = await import("@pawl/runtime/session/document-continuation")
  const continuation = await documentContinuation(host)
  const ids = options["new-ids"] ? "new" : "keep"
  return longWork(host, {
    label: "importing",
    async work(work) {
      try {
        return await importSession(storage, document, { ...work, paths, ids, continuation })
      } catch (error) {
        if (!(error instanceof ImportConflictError)) throw error
        throw new UsageError(
          `Session ${error.sessionID} already exists and differs from the document. Nothing was imported.`,
          `Import a copy: pawl session import --new-ids ${file}`,
        )
      }
    },
    tell({ sessions, messages, parts, blobs, dropped, warnings }) {
      const notices = Array.from(continuation.elsewhere, (path) => {
        return `The document has sessions work in ${path}. Elsewhere: --map ${path}=<directory>`
      })
      for (const line of [...warnings, ...droppedLines(dropped), ...notices]) {
        host.stderr.write(`${plainLine(host.secrets.mask(line))}\n`)
      }
      for (const { id, outcome } of sessions) {
        if (options.format === "json") host.stdout.write(jsonLine({ sessionID: id, outcome }, dropped))
        else host.stdout.write(`${id}  ${OUTCOMES[outcome]}\n`)
      }
      const counts = [plural(messages, "message"), plural(parts, "part"), plural(blobs, "blob")].join(", ")
      host.stderr.write(`imported ${plural(sessions.length, "session")} with ${counts}\n`)
      return exitCodes.success
    },
  })
}

async function importOpenCode(
  storage: Storage,
  path: string | undefined,
  paths: readonly PathMapping[],
  { options, host }: Call,
): Promise<ExitCode> {
  const source = path === undefined ? undefined : resolve(host.directory, path)
  const { importOpenCode: transfer } = await import("@pawl/transfer")
  const { documentContinuation } = await import("@pawl/runtime/session/document-continuation")
  // OpenCode's sessions are from this machine, so their directories are trusted.
  const continuation = { ...(await documentContinuation(host)), directory: (path: string) => path }
  return longWork(host, {
    label: "importing from OpenCode",
    work(work) {
      const environment = { HOME: host.home, ...host.environment }
      return transfer(source, storage, {
        ...work,
        paths,
        environment,
        continuation,
        projectID: projects(host, work.signal),
      })
    },
    tell: (report) => printReport(report, options, host),
  })
}

const OUTCOMES = {
  added: "added",
  updated: "brought up to date",
  unchanged: "here already",
  conflict: "left: changed here and there since the last import",
  busy: "left: it is being worked on",
  unreadable: "left: it cannot be read",
} as const

/** Returns a JSON line, with the dropped parts of the session if there are any. */
function jsonLine(
  line: { readonly sessionID: string; readonly from?: string; readonly outcome: string },
  dropped: readonly Dropped[],
): string {
  const own = dropped.filter(({ sessionID }) => sessionID === line.sessionID).map(({ kind, what }) => ({ kind, what }))
  return `${JSON.stringify(own.length > 0 ? { ...line, dropped: own } : line)}\n`
}

function printReport(
  report: OpenCodeReport,
  { format }: Input["options"],
  { stdout, stderr, secrets }: Host,
): ExitCode {
  for (const { subject, message } of report.problems) {
    stderr.write(`${plainLine(secrets.mask(`${subject}: ${message}`))}\n`)
  }
  const counts = new Map<keyof typeof OUTCOMES, number>()
  for (const { id, from, outcome } of report.sessions) {
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    if (format === "json") stdout.write(jsonLine({ sessionID: id, from, outcome }, report.dropped))
  }
  const outcomes = Array.from(counts, ([outcome, count]) => `${grouped(count)} ${OUTCOMES[outcome]}`)
  stderr.write(`read ${report.locations.map(plainLine).join(" and ")}\n`)
  stderr.write(`${plural(report.sessions.length, "session")}${outcomes.length > 0 ? `: ${outcomes.join(", ")}` : ""}\n`)
  const without = droppedCounts(report.dropped)
  if (without !== undefined) stderr.write(`${without}\n`)
  const left = report.problems.filter(({ isLeftOut }) => isLeftOut).length
  const isEverySession = report.sessions.every(({ outcome }) => ["added", "updated", "unchanged"].includes(outcome))
  if (left === 0 && isEverySession) return exitCodes.success
  const what =
    left === 0
      ? ""
      : `: ${plural(left, "record")} of OpenCode could not be read and ${left === 1 ? "was" : "were"} left out`
  stderr.write(`Not everything could be imported${what}.\n`)
  return exitCodes.failed
}

/** Returns a lookup of projects that reads each directory once. */
function projects({ environment }: Host, signal: AbortSignal): (directory: string) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>()
  return (directory) => {
    const found =
      known.get(directory) ?? findProjectID({ directory, environment: childEnvironment(environment), signal })
    known.set(directory, found)
    return found
  }
}

function mapping(text: string): PathMapping {
  const at = text.indexOf("=")
  if (at > 0 && at < text.length - 1) return { from: text.slice(0, at), to: text.slice(at + 1) }
  throw new UsageError(
    `invalid value "${text}" for --map: expected <from>=<to>`,
    "Example: --map /home/ann/app=/srv/app",
  )
}

async function readDocument(file: string, { directory, stdin }: Host): Promise<unknown> {
  const { limitedText, readDocument: readByLines } = await import("@pawl/transfer")
  if (file !== "-") await requireFile(resolve(directory, file))
  const document = file === "-" ? undefined : await readByLines(textPieces(resolve(directory, file)))
  if (document !== undefined) return document
  const pieces = file === "-" ? textOf(stdin) : textPieces(resolve(directory, file))
  const text = await joined(limitedText(pieces))
  const name = file === "-" ? "The text from stdin" : file
  if (text.trim() === "") throw new UsageError(`${name} is empty.`, EXPECTED_FILE)
  try {
    return JSON.parse(text.replace(BYTE_ORDER_MARK, "")) as unknown
  } catch (cause) {
    throw new UsageError(`${name} is not valid JSON: ${(cause as Error).message}`, EXPECTED_FILE)
  }
}

const EXPECTED_FILE = "Use a file from pawl session export."

async function requireFile(path: string): Promise<void> {
  if (!(await statusOf(path))) throw new UsageError(`There is no file ${path}.`, EXPECTED_FILE)
}

/** Some editors and shells write it before the text. */
const BYTE_ORDER_MARK = /^\uFEFF/

async function* textPieces(path: string): AsyncGenerator<string> {
  try {
    yield* createReadStream(path, { encoding: "utf8", highWaterMark: 256 * 1024 }) as AsyncIterable<string>
  } catch (error) {
    // The error of reading a directory does not name it.
    throw Object.assign(error as Error, { path })
  }
}

async function* textOf(stream: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  for await (const piece of stream) yield typeof piece === "string" ? piece : decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  const read: string[] = []
  for await (const piece of pieces) read.push(piece)
  return read.join("")
}

export const command = defineCommand({
  usage: ["session import [options] <file>", "session import [options] -", "session import --from-opencode [path]"],
  notes: [
    "A document comes from pawl session export or opencode export. Existing records are not changed. If an existing session " +
      "differs, nothing is imported without --new-ids.",
    "Deny and ask rules of the document are imported. What would allow more is dropped and listed: approvals, allow rules, agents " +
      "with more permissions than yours, and pending calls, tasks and prompts that would run when the session continues.",
    "With --from-opencode, OpenCode's database or older files are only read. Running it again imports what is new.",
  ],
  words: { min: 0, max: 1, completes: "files" },
  options: sessionImportOptions,
  exitCodes: { 1: "failed, or not everything could be imported" },
  examples: [
    ["pawl session import session.json --map /home/ann/app=/srv/app", "the project has another path here"],
    ["pawl session import --from-opencode", "import all sessions of OpenCode"],
  ],
  run: sessionImport,
})
