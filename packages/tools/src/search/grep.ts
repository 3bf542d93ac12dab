import { stat } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { defineTool, type Tool, type ToolContext } from "@pawl/core/tool"
import { resolvePath } from "../paths.ts"
import { optional, textField, toolInput } from "../tool-input.ts"
import type { ToolPath } from "../tool-paths.ts"
import { confirmedMatches } from "./confirmed.ts"
import type { SearchToolOptions } from "./glob.ts"
import { createFoundFiles } from "./found-files.ts"
import { COLUMN_ARG, type GrepMatch, MATCH_ARGS, MAX_SEARCHED_BYTES, toGrepMatch } from "./grep-match.ts"
import { grepOutput } from "./grep-output.ts"
import { leftOutNotes } from "./left-out.ts"
import { pathMatcher } from "./path-matcher.ts"
import { COMMON_ARGS, type RipgrepPath, runRipgrep } from "./ripgrep.ts"
import { withSearchTarget, type SearchTarget, withoutStart } from "./search-place.ts"

const input = toolInput("grep", {
  pattern: textField("The regular expression to search for, in Rust syntax"),
  path: optional(textField("The file or directory to search (default: the working directory)")),
  include: optional(textField("Only files that match this glob pattern, such as *.ts or src/**/*.{js,jsx}")),
})
type Input = ReturnType<typeof input.parse>

const MAX_MATCHES = 100
// A file that the call names is searched even if it is binary or large. Above MAX_COLUMN_SIZE, columns are not
// computed.
const MAX_FILE_SIZE = `--max-filesize=${MAX_SEARCHED_BYTES}`
const EVERY_BYTE = "--text"
const MAX_COLUMN_SIZE = 10 * 2 ** 20

export function grepTool({ paths, ripgrep }: SearchToolOptions): Tool<Input> {
  return defineTool<Input>({
    name: "grep",
    description:
      "Searches the contents of files with a regular expression and returns the matching lines with their numbers, grouped " +
      `by file, at most ${MAX_MATCHES}. Narrow it down with path and include. Binary files, files above 10 MB and what ` +
      ".gitignore excludes are left out, and what you may not read without being asked about it, such as .env files, " +
      "unless one is the path.",
    ...input,
    effect: "pure",
    async permissions(call, workspace) {
      const path = call.path ?? "."
      // Searching one file shows as much as reading it.
      const isFile = await stat(resolvePath(path, workspace))
        .then((found) => !found.isDirectory())
        .catch(() => false)
      const needs = await paths.needs(call, path, workspace, isFile ? "read" : undefined)
      const outside = needs.filter(({ permission }) => permission !== "read")
      const reading = needs.filter(({ permission }) => permission === "read")
      return [...outside, { permission: "grep", patterns: [call.pattern] }, ...reading]
    },
    async execute(call, context) {
      const location = await paths.use(call, call.path ?? ".", context)
      const { root, matches, leftOut, hasHidden, isIncomplete, changed } = await withSearchTarget(
        location,
        context,
        (at) => {
          return search(call, { at, location, context, ripgrep })
        },
      )
      const { text, count } = grepOutput(matches.slice(0, MAX_MATCHES), root)
      const isTruncated = count < matches.length
      const notes = [
        ...(isTruncated
          ? [`(Only the first ${count} matches are shown. Use a more specific pattern, path or include.)`]
          : []),
        ...leftOutNotes({ asked: leftOut.ask, denied: leftOut.deny, hasHidden }),
        ...(changed > 0 ? ["(Some files changed during the search: their matches are left out. Search again.)"] : []),
        ...(isIncomplete ? ["(Some files could not be read and were skipped.)"] : []),
      ]
      const found = count === 0 ? "No files found" : `Found ${count} ${count === 1 ? "match" : "matches"}\n${text}`
      return {
        title: call.pattern,
        output: [found, ...notes].join("\n\n"),
        metadata: { matches: count, truncated: isTruncated },
      }
    },
  })
}

interface SearchInput {
  readonly at: SearchTarget
  readonly location: ToolPath
  readonly context: ToolContext
  readonly ripgrep: RipgrepPath
}

async function search({ pattern, include }: Input, { at, location, context, ripgrep }: SearchInput) {
  const { cwd, start, input: file, exclusions, isDirectory, size, hasHidden } = at
  const hasColumn = isDirectory || size <= MAX_COLUMN_SIZE
  const root = isDirectory ? location.path : dirname(location.path)
  const includes = include === undefined ? () => true : pathMatcher(include, root)
  const matches: GrepMatch[] = []
  const judge = isDirectory ? await createFoundFiles(context, location) : () => "allow" as const
  const leftOut = { ask: new Set<string>(), deny: new Set<string>() }
  const { isIncomplete } = await runRipgrep({
    program: await ripgrep(),
    args: [
      ...COMMON_ARGS,
      ...exclusions,
      ...MATCH_ARGS,
      ...(hasColumn ? [COLUMN_ARG] : []),
      ...(isDirectory ? [MAX_FILE_SIZE, ...prefilter(include)] : [EVERY_BYTE]),
      "--",
      pattern,
      start,
    ],
    cwd,
    input: file,
    env: await context.env(),
    signal: context.signal,
    separator: "\0\n",
    onRecord(record) {
      const match = toGrepMatch(record, hasColumn)
      // Use the requested name, not the link's target.
      const path = isDirectory ? withoutStart(match.path) : basename(location.path)
      if (!includes(path)) return true
      const action = judge(path)
      if (action === "allow") matches.push({ ...match, path })
      else leftOut[action].add(path)
      return matches.length <= MAX_MATCHES
    },
  })
  const confirmed = isDirectory ? await confirmedMatches(location.target, matches) : matches
  return { root, matches: confirmed, changed: matches.length - confirmed.length, leftOut, hasHidden, isIncomplete }
}

/** Lets ripgrep skip files early if the pattern is a plain file name. */
function prefilter(include: string | undefined): string[] {
  return include !== undefined && /^[\w.*-]+$/.test(include) ? [`--type-add=include:${include}`, "--type=include"] : []
}
