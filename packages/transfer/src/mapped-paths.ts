import type { Message, MessageWithParts, Part, Session, ToolState } from "@pawl/core/record"
import { isObject } from "./json.ts"
import { mappedPath, mappedURL, type PathMapping } from "./path-mapping.ts"

/** Fields of a tool's input and metadata that contain a path. */
const PATH_FIELDS = ["filePath", "file_path", "path", "workdir", "cwd", "directory", "filepath", "outputPath"]

type Diffs = readonly { readonly file: string }[] | undefined

/** Maps `directory` and the files of `summary.diffs`. */
export function sessionWithPaths(session: Session, mappings: readonly PathMapping[]): Session {
  if (mappings.length === 0) return session
  const { summary } = session
  const directory = mappedPath(session.directory, mappings)
  return { ...session, directory, ...(summary && { summary: withDiffs(summary, mappings) }) }
}

/** Maps a message's `path` and `summary.diffs`, and its parts as `partWithPaths` does. Free text stays unchanged. */
export function messageWithPaths(message: MessageWithParts, mappings: readonly PathMapping[]): MessageWithParts {
  if (mappings.length === 0) return message
  return {
    info: infoWithPaths(message.info, mappings),
    parts: message.parts.map((part) => partWithPaths(part, mappings)),
  }
}

function infoWithPaths(info: Message, mappings: readonly PathMapping[]): Message {
  if (info.role === "user") {
    return info.summary ? { ...info, summary: withDiffs(info.summary, mappings) } : info
  }
  const { cwd, root } = info.path
  return { ...info, path: { ...info.path, cwd: mappedPath(cwd, mappings), root: mappedPath(root, mappings) } }
}

/**
 * Maps `url` (if it is a `file:` URL) and `source.path` of files and attachments, `files` of patches, the top-level
 * `PATH_FIELDS` of a tool call's input and metadata, and the paths of changed files.
 */
function partWithPaths(part: Part, mappings: readonly PathMapping[]): Part {
  switch (part.type) {
    case "file": {
      const { source } = part
      const url = mappedURL(part.url, mappings)
      if (!source) return { ...part, url }
      if (source.type === "resource")
        return { ...part, url, source: { ...source, uri: mappedURL(source.uri, mappings) } }
      return { ...part, url, source: { ...source, path: mappedPath(source.path, mappings) } }
    }
    case "patch":
      return { ...part, files: part.files.map((file) => mappedPath(file, mappings)) }
    case "tool": {
      const changes = part.changes?.map((change) => ({ ...change, path: mappedPath(change.path, mappings) }))
      return { ...part, ...(changes && { changes }), state: stateWithPaths(part.state, mappings) }
    }
    default:
      return part
  }
}

function stateWithPaths(state: ToolState, mappings: readonly PathMapping[]): ToolState {
  const input = withPathFields(state.input, mappings)
  if (state.status === "pending") return { ...state, input }
  const metadata = state.metadata && withPathFields(state.metadata, mappings)
  const moved = { ...state, input, ...(metadata && { metadata }) }
  if (moved.status !== "completed" || !moved.attachments) return moved
  const attachments = moved.attachments.map((file) => partWithPaths(file, mappings) as typeof file)
  return { ...moved, attachments }
}

function withPathFields(fields: Record<string, unknown>, mappings: readonly PathMapping[]): Record<string, unknown> {
  if (!isObject(fields)) return fields
  const moved = Object.entries(fields).map(([name, value]) => {
    return [name, typeof value === "string" && PATH_FIELDS.includes(name) ? mappedPath(value, mappings) : value]
  })
  return Object.fromEntries(moved) as Record<string, unknown>
}

function withDiffs<Summary extends { readonly diffs?: Diffs }>(
  summary: Summary,
  mappings: readonly PathMapping[],
): Summary {
  if (!summary.diffs) return summary
  return { ...summary, diffs: summary.diffs.map((diff) => ({ ...diff, file: mappedPath(diff.file, mappings) })) }
}
