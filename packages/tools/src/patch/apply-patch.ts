import { defineTool, type JSONObject, type PermissionNeed, type Tool, type ToolPlace } from "@pawl/core/tool"
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
  /** Works on each file once it is written. */
  readonly format?: AfterWrite | undefined
  /** Looks at all files once the last one is written. */
  readonly check?: CheckFiles | undefined
}

/** Changes several files at once: all of them or none. */
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
    permissions: (call, place) => needs(paths, call, place),
    async execute(call, context) {
      // Most models do not want this tool: what applies a patch is loaded for the first one.
      const { patchPlan, writePlan } = await import("../at-call.ts")
      const changes = await Promise.all(
        call.changes.map(async (change) => ({
          change,
          place: await paths.use(call, change.path, context),
          ...(movedTo(change) && { target: await paths.use(call, movedTo(change) as string, context) }),
        })),
      )
      const targets = changes.flatMap(({ place, target }) => [place.target, ...(target ? [target.target] : [])])
      return locked(locks, targets, context.signal, async () => {
        context.signal.throwIfAborted()
        const plan = await patchPlan(changes, context, fileTimes)
        const written = await writePlan(plan.files, context, { fileTimes, afterWrite: format })
        const left = written.filter(({ bytes }) => bytes).map(({ place }) => place)
        const found = (await check?.(left, context)) ?? []
        return result(plan, written, found)
      })
    },
  })
}

function movedTo(change: FileChange): string | undefined {
  return change.type === "update" ? change.moveTo?.path : undefined
}

async function needs(paths: ToolPaths, call: Input, place: ToolPlace): Promise<readonly PermissionNeed[]> {
  const touched = call.changes.flatMap((change) => [change.path, movedTo(change) ?? []].flat())
  const all: PermissionNeed[] = []
  for (const path of new Set(touched)) all.push(...(await paths.needs(call, path, place, "edit")))
  return joinedNeeds(all)
}

/** Holds the locks of all targets, taken in an order that all calls share. */
function locked<Result>(
  locks: FileLocks,
  targets: readonly string[],
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const ordered = [...new Set(targets)].toSorted()
  return ordered.reduceRight((inner, target) => () => locks.run(target, inner, signal), work)()
}

async function result(plan: PatchPlan, written: readonly WrittenFile[], found: readonly string[]) {
  const moved = new Set(written.map(({ movedFrom }) => movedFrom?.place.target))
  const told = written.filter(({ bytes, place }) => bytes || !moved.has(place.target))
  const files = await Promise.all(told.map(async (file) => fileMetadata(file)))
  const notes = [...plan.notes, ...written.flatMap(({ changed }) => changed.notes), ...found]
  const lines = told.map((file) => `${letterOf(file)} ${nameOf(file)}`)
  return {
    title: lines.length === 1 ? told.map(nameOf).join("") : `${lines.length} files`,
    output: ["Success. Updated the following files:", ...lines, ...notes].join("\n"),
    metadata: { diff: files.map(({ patch }) => patch).join("\n"), files },
  }
}

function letterOf({ before, bytes, movedFrom }: WrittenFile): string {
  if (movedFrom) return "R"
  if (!bytes) return "D"
  return before ? "M" : "A"
}

function nameOf({ place, movedFrom }: WrittenFile): string {
  return movedFrom ? `${movedFrom.place.title} -> ${place.title}` : place.title
}

async function fileMetadata({ place, before, bytes, movedFrom, changed }: WrittenFile) {
  const { hash } = changed
  const status = movedFrom ? "moved" : bytes ? (before ? "modified" : "added") : "deleted"
  return {
    ...(movedFrom ? { file: movedFrom.place.path, movePath: place.path } : { file: place.path }),
    status,
    ...(movedFrom?.before && bytes
      ? await unifiedDiff(place.path, shownText(movedFrom.before.bytes), shownText(bytes))
      : changed.diff),
    ...(hash === undefined ? {} : { hash: hashInMetadata(hash) }),
  } satisfies JSONObject
}
