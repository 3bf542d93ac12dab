import { join } from "node:path"
import { defineTool, type Tool } from "@pawl/core/tool"
import { displayName } from "../display-name.ts"
import { optional, textField, toolInput } from "../tool-input.ts"
import type { ToolPaths } from "../tool-paths.ts"
import { createFoundFiles } from "./found-files.ts"
import { leftOutNotes } from "./left-out.ts"
import { pathMatcher } from "./path-matcher.ts"
import { findFiles } from "./find-files.ts"
import type { RipgrepPath } from "./ripgrep.ts"

const input = toolInput("glob", {
  pattern: textField("The pattern, such as **/*.ts or src/**/*.{js,jsx}"),
  path: optional(textField("The directory to search (default: the working directory)")),
})
type Input = ReturnType<typeof input.parse>

const MAX_FILES = 100

export interface SearchToolOptions {
  readonly paths: ToolPaths
  readonly ripgrep: RipgrepPath
}

export function globTool({ paths, ripgrep }: SearchToolOptions): Tool<Input> {
  return defineTool<Input>({
    name: "glob",
    description:
      "Finds files by name with a glob pattern and returns their absolute paths, the most recently changed first, " +
      `at most ${MAX_FILES}. A pattern without a slash matches names at any depth. Files that .gitignore excludes, or ` +
      "that may not be read, are left out.",
    ...input,
    effect: "pure",
    async permissions(call, workspace) {
      const outside = await paths.needs(call, call.path ?? ".", workspace)
      return [...outside, { permission: "glob", patterns: [call.pattern] }]
    },
    async execute(call, context) {
      const location = await paths.use(call, call.path ?? ".", context)
      const matches = pathMatcher(call.pattern, location.path)
      const judge = await createFoundFiles(context, location)
      const { found, denied, hasHidden, isIncomplete } = await findFiles(location, {
        ...{ program: await ripgrep(), context, args: ["--sortr=modified"], limit: MAX_FILES + 1 },
        judge: (path) => (matches(path) ? judge(path) : "skip"),
        ifFile: "Give the directory to search in.",
      })
      const isTruncated = found.length > MAX_FILES
      const shown = found.slice(0, MAX_FILES).map((path) => displayName(join(location.path, path)))
      const notes = [
        ...(isTruncated
          ? [`(Only the ${MAX_FILES} newest files are shown. Use a more specific pattern or path.)`]
          : []),
        ...leftOutNotes({ denied, hasHidden }),
        ...(isIncomplete ? ["(Some directories could not be read and were skipped.)"] : []),
      ]
      return {
        title: location.title,
        output: [shown.length > 0 ? shown.join("\n") : "No files found", ...notes].join("\n\n"),
        metadata: { count: shown.length, truncated: isTruncated },
      }
    },
  })
}
