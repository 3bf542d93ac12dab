import type { ToolContext, ToolResult } from "@pawl/core/tool"
import { type Command, runCommand } from "./run-command.ts"
import { createCommandOutput } from "./command-output.ts"
import { modelText } from "./model-text.ts"
import { createProgress } from "./progress.ts"

/** Finds test results in an output; undefined if it has no test results. */
export type ReadTests = (
  output: string,
  exit: number | undefined,
) => { readonly isFailed: boolean; readonly failing: readonly string[] } | undefined

export interface ForegroundOptions extends Omit<Command, "signal" | "onOutput"> {
  readonly outputDirectory: string | undefined
  readonly readTests: ReadTests | undefined
  /** Returns the absolute directory where the session's next command starts. */
  readonly next: () => string
  /** Called when the command has ended. Returns a message for the model about the command's last directory. */
  readonly toDirectoryNote: () => Promise<string | undefined>
  /**
   * Called when none of the command's processes runs any more. Returns messages for the model about files that it left.
   */
  readonly toLeftoverNotes: () => Promise<readonly string[]>
}

const PROGRESS_MS = 250

/** Runs a command to its end and reports its output as it arrives. */
export async function runInForeground(options: ForegroundOptions, context: ToolContext): Promise<ToolResult> {
  const { outputDirectory, readTests, next, toDirectoryNote, toLeftoverNotes, ...command } = options
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
    const leftNotes = await toLeftoverNotes()
    const finished = await output.finish()
    const tests = readTests?.(finished.ending, end.exit ?? undefined)
    const placeNote = end.stopped === undefined ? await toDirectoryNote() : undefined
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
        // The exit code already says that no test failed.
        ...(tests?.isFailed && { tests: { isFailed: true, failing: tests.failing } }),
      },
    }
  } finally {
    progress.stop()
  }
}
