import type { ToolContext, ToolResult } from "@pawl/core/tool"
import { type Command, runCommand } from "./run-command.ts"
import { createCommandOutput } from "./command-output.ts"
import { modelText } from "./model-text.ts"
import { createProgress } from "./progress.ts"

/** What an output tells of tests that failed, as it goes into the call's metadata; undefined where it tells of none. */
export type ReadTests = (
  output: string,
  exit: number | undefined,
) => { readonly isFailed: boolean; readonly failing: readonly string[] } | undefined

export interface ForegroundOptions extends Omit<Command, "signal" | "onOutput"> {
  readonly outputDirectory: string | undefined
  readonly readTests: ReadTests | undefined
  /** Where the session's next command starts as things are; absolute. */
  readonly next: () => string
  /** Asked once the command has ended by itself: what the model is told of where it ended. */
  readonly toPlaceNote: () => Promise<string | undefined>
  /** Asked once nothing of it runs any more: what the model is told of what it left. */
  readonly toLeftNotes: () => Promise<readonly string[]>
}

const PROGRESS_MS = 250

/** Runs a command to its end and shows its output as it comes. */
export async function runInForeground(options: ForegroundOptions, context: ToolContext): Promise<ToolResult> {
  const { outputDirectory, readTests, next, toPlaceNote, toLeftNotes, ...command } = options
  const output = createCommandOutput({
    callID: context.callID,
    blobs: context.blobs,
    directory: outputDirectory,
    canDelegate: context.canDelegate,
  })
  const progress = createProgress(() => {
    context.progress({ title: command.command, metadata: { output: output.preview() } })
  }, PROGRESS_MS)
  try {
    const end = await runCommand({
      ...command,
      signal: context.signal,
      onOutput(chunk) {
        progress.changed()
        return output.accept(chunk)
      },
    })
    progress.stop()
    const leftNotes = await toLeftNotes()
    const finished = await output.finish()
    const tests = readTests?.(finished.ending, end.exit ?? undefined)
    const placeNote = end.stopped === undefined ? await toPlaceNote() : undefined
    return {
      title: command.command,
      output: modelText(finished, end, {
        timeout: command.timeout,
        notes: [...leftNotes, ...(placeNote === undefined ? [] : [placeNote])],
      }),
      metadata: {
        output: finished.preview,
        exit: end.exit,
        cwd: command.cwd,
        next: next(),
        truncated: finished.omitted !== undefined,
        ...(finished.blob !== undefined && { blob: finished.blob }),
        // That nothing failed can be seen from the exit code.
        ...(tests?.isFailed && { tests: { isFailed: true, failing: tests.failing } }),
      },
    }
  } finally {
    progress.stop()
  }
}
