import { sep } from "node:path"
import { defineTool, type Tool } from "@pawl/core/tool"
import { relativeName, resolvePath } from "../paths.ts"
import { listField, optional, textField, toolInput } from "../tool-input.ts"
import type { SearchToolOptions } from "./glob.ts"
import { createFoundFiles } from "./found-files.ts"
import { leftOutNotes } from "./left-out.ts"
import { findFiles } from "./find-files.ts"
import { tree } from "./tree.ts"

const input = toolInput("list", {
  path: optional(textField("The directory to show (default: the working directory)")),
  ignore: optional(listField(textField("A glob pattern"), "Glob patterns to leave out")),
})
type Input = ReturnType<typeof input.parse>

const MAX_FILES = 100

export function listTool({ paths, ripgrep }: SearchToolOptions): Tool<Input> {
  return defineTool<Input>({
    name: "list",
    description:
      `Shows the files below a directory as a tree, at most ${MAX_FILES}, without what .gitignore excludes or may not be read. ` +
      "Use glob or grep when you know what you are looking for.",
    ...input,
    effect: "pure",
    async permissions(call, workspace) {
      const path = call.path ?? "."
      const pattern = relativeName(workspace.worktree, resolvePath(path, workspace))
      return [...(await paths.needs(call, path, workspace)), { permission: "list", patterns: [pattern] }]
    },
    async execute(call, context) {
      const location = await paths.use(call, call.path ?? ".", context)
      const { found, denied, hasHidden, isIncomplete } = await findFiles(location, {
        ...{ program: await ripgrep(), context, args: (call.ignore ?? []).map(exclusion), limit: MAX_FILES + 1 },
        judge: await createFoundFiles(context, location),
        ifFile: "Give a directory.",
      })
      const isTruncated = found.length > MAX_FILES
      const shown = found.slice(0, MAX_FILES).map((path) => path.replaceAll(sep, "/"))
      const notes = [
        ...(isTruncated
          ? [`(Only the first ${MAX_FILES} files are shown. List a directory further down, or use glob.)`]
          : []),
        ...leftOutNotes({ denied, hasHidden }),
        ...(isIncomplete ? ["(Some directories could not be read and were skipped.)"] : []),
      ]
      const heading = location.shown.endsWith("/") ? location.shown : `${location.shown}/`
      return {
        title: location.title,
        output: [`${heading}\n${shown.length > 0 ? tree(shown) : "  (no files)"}`, ...notes].join("\n\n"),
        metadata: { count: shown.length, truncated: isTruncated },
      }
    },
  })
}

/** A pattern excludes with or without a leading `!`. */
function exclusion(pattern: string): string {
  return `--glob=!${pattern.replace(/^!+/, "")}`
}
