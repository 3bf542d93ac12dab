import { resolve } from "node:path"
import type { JSONObject, JSONValue } from "../base/json.ts"
import type { MessageWithParts, ToolPart } from "../record/message.ts"
import type { OutputFacts, TestRun } from "../contracts/output-facts.ts"
import { oneLine } from "./command-text.ts"

/** A fact about the work. Paths are absolute; commands and decisions are unchanged. */
export type Fact =
  | { readonly type: "read"; readonly path: string; readonly hash?: string }
  | { readonly type: "modified"; readonly path: string; readonly hash?: string; readonly isDeleted?: boolean }
  | { readonly type: "moved"; readonly from: string; readonly path: string; readonly hash?: string }
  | {
      readonly type: "command"
      readonly command: string
      /** Directory of the run, if the call names one. */
      readonly directory?: string
      /** Exit code; missing if the command did not end by itself. */
      readonly exit?: number
      readonly tests?: TestRun
    }
  | { readonly type: "decision"; readonly text: string }
  /** `source`: the unchanged command, or the tool's name. */
  | { readonly type: "error"; readonly source: string; readonly text: string }

/** Longer than any path of a file system. */
const MAX_PATH_LENGTH = 4096

/**
 * Returns the facts of a message's calls, in their order, from their metadata, whatever the tools are:
 * - `filediff`, and each object of `files`, is a change of the file that it names; so are those of each of `results`. A
 *   `status` or `type` of deletion marks a deleted file, `movePath` the new path of a moved one.
 * - `filepath`, if there is no change, was modified if the tool changes things, else read. A `pure` call changes
 *   nothing.
 * - An input `command` was run if there is an `exit`. `tests` is its test run, for a tool that has read more than its
 *   output shows; else `reader` searches the output.
 * - `decision` is a sentence to remember.
 * - A failed call gives the first line with an error.
 * - `hash` is the hash of the content afterwards, if one file is concerned.
 * A failed call gives the changes and commands before its failure. Files that a snapshot found changed are modified.
 */
export function factsOf({ info, parts }: MessageWithParts, reader: OutputFacts): Fact[] {
  const directory = info.role === "assistant" ? info.path.cwd : "/"
  const facts = parts.flatMap((part) => (part.type === "tool" ? toolFacts(part, directory, reader) : []))
  const changedPaths = new Set(
    facts.flatMap((fact) => (fact.type === "modified" || fact.type === "moved" ? [fact.path] : [])),
  )
  for (const fact of facts) if (fact.type === "moved") changedPaths.add(fact.from)
  for (const file of parts.flatMap((part) => (part.type === "patch" ? part.files : []))) {
    const path = toPath(file, directory)
    if (path !== undefined && !changedPaths.has(path)) facts.push({ type: "modified", path })
  }
  return facts
}

function toolFacts(part: ToolPart, directory: string, reader: OutputFacts): Fact[] {
  const { state } = part
  if (state.status !== "completed" && state.status !== "error") return []
  const effect = part.metadata?.["effect"]
  // Without an effect, the call was refused before it ran, or another program made it.
  if (state.status === "error" && effect === undefined) return []
  const metadata = (state.metadata ?? {}) as JSONObject
  const files = fileFacts(metadata, { directory, effect })
  const facts = state.status === "completed" ? files : files.filter(({ type }) => type !== "read")
  facts.push(...commandFacts(part, metadata, directory, reader))
  facts.push(...errorFacts(part, metadata, reader))
  const decision = asText(metadata["decision"])
  if (decision !== undefined && state.status === "completed") facts.push({ type: "decision", text: decision })
  return facts
}

interface About {
  readonly directory: string
  readonly effect: unknown
}

function fileFacts(metadata: JSONObject, about: About): Fact[] {
  const diffs = [metadata["filediff"], ...asList(metadata["files"])].flatMap((value) => asObject(value))
  const changes = diffs.filter((diff) => isChange(diff, about.effect))
  const single = changes.length === 1 ? metadata["hash"] : undefined
  const facts = changes.flatMap((diff) => changeFacts(diff, diff["hash"] ?? single, about.directory))
  const path = toPath(metadata["filepath"], about.directory)
  if (path !== undefined && changes.length === 0) {
    const type = isWritten(metadata, about.effect) ? "modified" : "read"
    facts.push({ type, path, ...hashOf(metadata["hash"]) })
  }
  const results = asList(metadata["results"]).flatMap((value) => asObject(value))
  return [...facts, ...results.flatMap((result) => fileFacts({ ...result, results: [] }, about))]
}

function changeFacts(diff: JSONObject, hash: JSONValue | undefined, directory: string): Fact[] {
  const path = toPath(diff["file"] ?? diff["filePath"] ?? diff["path"], directory)
  if (path === undefined) return []
  const target = toPath(diff["movePath"], directory)
  if (target !== undefined && target !== path) return [{ type: "moved", from: path, path: target, ...hashOf(hash) }]
  const isDeleted = [diff["status"], diff["type"]].some((word) => word === "deleted" || word === "delete")
  return [{ type: "modified", path, ...(isDeleted ? { isDeleted } : hashOf(hash)) }]
}

/** Returns whether an object describes a change. Search results name files too. */
function isChange(diff: JSONObject, effect: unknown): boolean {
  if (effect !== undefined) return effect !== "pure"
  return ["patch", "diff", "additions", "deletions", "status", "before", "after"].some((name) => name in diff)
}

function isWritten(metadata: JSONObject, effect: unknown): boolean {
  if (effect !== undefined) return effect !== "pure"
  return "diff" in metadata || "exists" in metadata
}

function commandFacts({ tool, state }: ToolPart, metadata: JSONObject, directory: string, reader: OutputFacts): Fact[] {
  if (state.status !== "completed" && state.status !== "error") return []
  const input = state.input as JSONObject
  const command = asText(input["command"])
  if (command === undefined || !("exit" in metadata || tool === "bash")) return []
  const exit = typeof metadata["exit"] === "number" ? metadata["exit"] : undefined
  const workdir = toPath(input["workdir"], directory)
  const output = state.status === "completed" ? state.output : state.error
  const tests = toldRun(metadata["tests"]) ?? reader.testRun(output, exit)
  return [
    {
      ...{ type: "command", command },
      ...(workdir === undefined || workdir === resolve(directory) ? {} : { directory: workdir }),
      ...(exit === undefined ? {} : { exit }),
      ...(tests === undefined ? {} : { tests }),
    },
  ]
}

/**
 * Returns the error of a failed call, and of a failed command without failed tests. Failed tests are facts of their
 * own.
 */
function errorFacts({ tool, state }: ToolPart, metadata: JSONObject, reader: OutputFacts): Fact[] {
  if (state.status !== "completed" && state.status !== "error") return []
  const { exit } = metadata
  const isFailed = state.status === "error" || (typeof exit === "number" && exit !== 0)
  if (!isFailed) return []
  const source = asText((state.input as JSONObject)["command"]) ?? tool
  const output = state.status === "error" ? state.error : state.output
  if (reader.testRun(output, typeof exit === "number" ? exit : undefined)?.failing.length) return []
  const text = reader.errorLine(output)
  return text === undefined ? [] : [{ type: "error", source, text }]
}

function toPath(value: JSONValue | undefined, directory: string): string | undefined {
  const path = asText(value)
  return path === undefined || path.length > MAX_PATH_LENGTH ? undefined : resolve(directory, path.toWellFormed())
}

function hashOf(value: JSONValue | undefined): { hash?: string } {
  const hash = asText(value)
  if (hash === undefined || !/^[\w:+/=-]{1,128}$/.test(hash)) return {}
  // Without a prefix, the hash would look like the id of a blob that the ledger refers to.
  return { hash: /^[0-9a-f]{64}$/.test(hash) ? `sha256:${hash}` : hash }
}

function asText(value: JSONValue | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined
}

function asObject(value: JSONValue | undefined): JSONObject[] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? [value as JSONObject] : []
}

function asList(value: JSONValue | undefined): readonly JSONValue[] {
  return Array.isArray(value) ? (value as readonly JSONValue[]) : []
}

const MAX_NAMES = 20
const MAX_NAME_LENGTH = 200

/** Reads a test run from a tool's metadata; undefined if it has another shape. */
function toldRun(value: JSONValue | undefined): TestRun | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
  const { isFailed, failing } = value as JSONObject
  if (typeof isFailed !== "boolean") return undefined
  const failingNames: readonly unknown[] = isFailed && Array.isArray(failing) ? failing : []
  const names = failingNames.flatMap((name) =>
    typeof name === "string" ? [oneLine(name).slice(0, MAX_NAME_LENGTH)] : [],
  )
  const kept = new Set(names.map((name) => name.toWellFormed()).filter((name) => name !== ""))
  return { isFailed, failing: [...kept].slice(0, MAX_NAMES) }
}
