import { sep } from "node:path"
import { defineTool, type Tool } from "@pawl/core"
import { relativeName, resolvePath } from "../paths.ts"
import { listField, optional, textField, toolInput } from "../tool-input.ts"
import type { SearchToolOptions } from "./glob.ts"
import { createFoundFiles } from "./found-files.ts"
import { leftOutNotes } from "./left-out.ts"
import { COMMON_ARGS, runRipgrep } from "./ripgrep.ts"
import { searchPlace, withoutStart } from "./search-place.ts"
import { tree } from "./tree.ts"

const input = toolInput("list", {
  path: optional(textField("The directory to show (default: the working directory)")),
  ignore: optional(listField(textField("A glob pattern"), "Glob patterns to leave out")),
})
type Input = ReturnType<typeof input.parse>

const LIMIT = 100

export function listTool({ paths, ripgrep }: SearchToolOptions): Tool<Input> {
  return defineTool<Input>({
    name: "list",
    description:
      `Shows the files below a directory as a tree, at most ${LIMIT}, without what .gitignore excludes or may not be read. ` +
      "Use glob or grep when you know what you are looking for.",
    ...input,
    effect: "pure",
    async permissions(call, place) {
      const path = call.path ?? "."
      const pattern = relativeName(place.worktree, resolvePath(path, place))
      return [...(await paths.needs(call, path, place)), { permission: "list", patterns: [pattern] }]
    },
    async execute(call, context) {
      const place = await paths.use(call, call.path ?? ".", context)
      const { cwd, start, exclusions, isDirectory } = await searchPlace(place)
      if (!isDirectory) throw new Error(`${place.shown} is a file. Give a directory.`)
      const judge = await createFoundFiles(context, place)
      const found: string[] = []
      const denied = new Set<string>()
      const { isIncomplete } = await runRipgrep({
        program: await ripgrep(),
        args: [...COMMON_ARGS, ...exclusions, ...(call.ignore ?? []).map(exclusion), "--files", "--null", "--", start],
        cwd,
        env: await context.env(),
        signal: context.signal,
        separator: "\0",
        onRecord(record) {
          const path = withoutStart(record)
          if (judge(path) === "deny") denied.add(path)
          else found.push(path.replaceAll(sep, "/"))
          return found.length <= LIMIT
        },
      })
      const isTruncated = found.length > LIMIT
      const shown = found.slice(0, LIMIT)
      const notes = [
        ...(isTruncated
          ? [`(Only the first ${LIMIT} files are shown. List a directory further down, or use glob.)`]
          : []),
        ...leftOutNotes({ denied }),
        ...(isIncomplete ? ["(Some directories could not be read and were skipped.)"] : []),
      ]
      const heading = place.shown.endsWith("/") ? place.shown : `${place.shown}/`
      return {
        title: place.title,
        output: [`${heading}\n${shown.length > 0 ? tree(shown) : "  (no files)"}`, ...notes].join("\n\n"),
        metadata: { count: shown.length, truncated: isTruncated },
      }
    },
  })
}

/** A leading `!` means nothing more here: every pattern of the list excludes. */
function exclusion(pattern: string): string {
  return `--glob=!${pattern.replace(/^!+/, "")}`
}
