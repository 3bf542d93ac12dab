import { defineTool, type JSONObject, type PermissionNeed, type Tool, type ToolLocation } from "@pawl/core/tool"
import type { CheckFiles } from "../after-edit/after-edit.ts"
import type { AfterWrite } from "../file/change-file.ts"
import type { FileLocks } from "../file/file-locks.ts"
import { type FileTimes, hashInMetadata } from "../file/file-times.ts"
import { unifiedDiff } from "../file/unified-diff.ts"
import { shownText } from "../file/text-file.ts"
import { textField, toolInput } from "../tool-input.ts"
import type { ToolPaths } from "../tool-paths.ts"
import { joinedNeeds } from "./joined-needs.ts"
import { parsePatch } from "./parse-patch.ts"
import type { FileChange } from "./patch.ts"
import type { PatchPlan } from "./patch-plan.ts"
import type { WrittenFile } from "./write-plan.ts"

const input = toolInput("apply_patch", {
  patchText: textField("The whole patch, from *** Begin Patch to *** End Patch"),
})

interface Input {
  readonly changes: readonly FileChange[]
}

export interface ApplyPatchToolOptions {
  readonly paths: ToolPaths
  readonly fileTimes: FileTimes
  readonly locks: FileLocks
  /** Runs on each file after it was written. */
  readonly format?: AfterWrite | undefined
  /** Runs on all files after the last one was written. */
  readonly check?: CheckFiles | undefined
}

/** Changes several files: all of them or none. */
export function applyPatchTool({ paths, fileTimes, locks, format, check }: ApplyPatchToolOptions): Tool<Input> {
  return defineTool<Input>({
    name: "apply_patch",
    permission: "edit",
    description:
      "Adds, changes, moves and deletes files by a patch; where a part of it does not fit, nothing is changed. Lines of a file that " +
      'change begin with "-" and "+", with two or three unchanged lines around them that begin with a space; "@@ " names a line above ' +
      "where those could stand elsewhere too:\n*** Begin Patch\n*** Update File: src/a.ts\n@@ function main() {\n   const a = 1\n" +
      '-  log("x")\n+  log("y")\n*** Update File: b.txt\n*** Move to: c.txt\n*** Add File: d.txt\n+text\n*** Delete File: e.txt\n*** End Patch',
    inputSchema: input.inputSchema,
    parse: (value) => ({ changes: parsePatch(input.parse(value).patchText) }),
    effect: "unsafe",
    changes: "recorded",
    permissions: (call, workspace) => needs(paths, call, workspace),
    async execute(call, context) {
      // Loaded on the first call, because most models do not use this tool.
      const { patchPlan, writePlan } = await import("../at-call.ts")
      const changes = await Promise.all(
        call.changes.map(async (change) => ({
          change,
          file: await paths.use(call, change.path, context),
          ...(movedTo(change) && { target: await paths.use(call, movedTo(change) as string, context) }),
        })),
      )
      const targets = changes.flatMap(({ file, target }) => [file.target, ...(target ? [target.target] : [])])
      return locked(locks, targets, context.signal, async () => {
        context.signal.throwIfAborted()
        const plan = await patchPlan(changes, context, fileTimes)
        const written = await writePlan(plan.files, context, { fileTimes, afterWrite: format })
        const remaining = written.filter(({ bytes }) => bytes).map(({ file }) => file)
        const problems = (await check?.(remaining, context)) ?? []
        return result(plan, written, problems)
      })
    },
  })
}

function movedTo(change: FileChange): string | undefined {
  return change.type === "update" ? change.moveTo?.path : undefined
}

async function needs(paths: ToolPaths, call: Input, workspace: ToolLocation): Promise<readonly PermissionNeed[]> {
  const touched = call.changes.flatMap((change) => [change.path, movedTo(change) ?? []].flat())
  const all: PermissionNeed[] = []
  for (const path of new Set(touched)) all.push(...(await paths.needs(call, path, workspace, "edit")))
  return joinedNeeds(all)
}

/** Acquires the locks in an order that all calls share, so that calls cannot deadlock. */
function locked<Result>(
  locks: FileLocks,
  targets: readonly string[],
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const ordered = [...new Set(targets)].toSorted()
  return ordered.reduceRight((inner, target) => () => locks.run(target, inner, signal), work)()
}

async function result(plan: PatchPlan, written: readonly WrittenFile[], problems: readonly string[]) {
  const moved = new Set(written.map(({ movedFrom }) => movedFrom?.file.target))
  const reported = written.filter(({ bytes, file }) => bytes || !moved.has(file.target))
  const files = await Promise.all(reported.map(async (each) => fileMetadata(each)))
  const notes = [...plan.notes, ...written.flatMap(({ changed }) => changed.notes), ...problems]
  const lines = reported.map((each) => `${letterOf(each)} ${nameOf(each)}`)
  return {
    title: lines.length === 1 ? reported.map(nameOf).join("") : `${lines.length} files`,
    output: ["Success. Updated the following files:", ...lines, ...notes].join("\n"),
    metadata: { diff: files.map(({ patch }) => patch).join("\n"), files },
  }
}

function letterOf({ before, bytes, movedFrom }: WrittenFile): string {
  if (movedFrom) return "R"
  if (!bytes) return "D"
  return before ? "M" : "A"
}

function nameOf({ file, movedFrom }: WrittenFile): string {
  return movedFrom ? `${movedFrom.file.title} -> ${file.title}` : file.title
}

async function fileMetadata({ file, before, bytes, movedFrom, changed }: WrittenFile) {
  const { hash } = changed
  const status = movedFrom ? "moved" : bytes ? (before ? "modified" : "added") : "deleted"
  return {
    ...(movedFrom ? { file: movedFrom.file.path, movePath: file.path } : { file: file.path }),
    status,
    ...(movedFrom?.before && bytes
      ? await unifiedDiff(file.path, shownText(movedFrom.before.bytes), shownText(bytes))
      : changed.diff),
    ...(hash === undefined ? {} : { hash: hashInMetadata(hash) }),
  } satisfies JSONObject
}
