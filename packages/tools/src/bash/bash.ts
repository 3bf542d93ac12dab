import { stat } from "node:fs/promises"
import { canonicalJSON, defineTool, isWaitingCommand, type Tool, type ToolContext } from "@pawl/core"
import { countField, optional, textField, toolInput } from "../tool-input.ts"
import type { ToolPaths } from "../tool-paths.ts"
import { createLiveGroups } from "./live-groups.ts"
import { modelText } from "./model-text.ts"
import { createProgress } from "./progress.ts"

const DEFAULT_TIMEOUT = 120_000
const PROGRESS_MS = 250

const input = toolInput("bash", {
  command: textField("The command to run"),
  timeout: optional(countField(`Milliseconds until the command is ended (default ${DEFAULT_TIMEOUT})`)),
  workdir: optional(textField("The directory to run in (default: the working directory); use it instead of cd")),
})
type Input = ReturnType<typeof input.parse>

/** What an output tells of tests that failed, as it goes into the call's metadata; undefined where it tells of none. */
export type ReadTests = (
  output: string,
  exit: number | undefined,
) => { readonly isFailed: boolean; readonly failing: readonly string[] } | undefined

export interface BashToolOptions {
  readonly paths: ToolPaths
  /** Where long outputs are kept as files that the model can read; absolute. Absent: as blobs only. */
  readonly outputDirectory?: string | undefined
  /** Reads the last 1 MiB of an output, of which the model may be shown less. Absent: `metadata.tests` is never told. */
  readonly readTests?: ReadTests | undefined
}

export function bashTool({ paths, outputDirectory, readTests }: BashToolOptions): Tool<Input> {
  const live = createLiveGroups()
  return defineTool<Input>({
    name: "bash",
    description:
      "Runs a command in a new shell and returns its output, stdout and stderr together. Nothing can be typed into it. " +
      "Of a long output you see the last 2000 lines or 50 KB. The call ends when the command exits: start servers with `&`. " +
      "Use read, edit, write, glob, grep and list rather than shell commands for what those tools can do. " +
      "Run independent commands as parallel calls; chain dependent ones with `&&`. Quote paths that contain spaces.",
    ...input,
    effect: "unsafe",
    keep: "tail",
    // Models give the same command another time limit each time.
    loopKey: ({ command, workdir }) => canonicalJSON({ command, workdir }),
    pollable: ({ command }) => typeof command === "string" && isWaitingCommand(command),
    async permissions(call, place) {
      const outside = call.workdir === undefined ? [] : await paths.needs(call, call.workdir, place)
      return [...outside, { permission: "bash", patterns: [call.command] }]
    },
    async execute(call, context: ToolContext) {
      const [{ createCommandOutput }, { runCommand }] = await Promise.all([
        import("./command-output.ts"),
        import("./run-command.ts"),
      ])
      const { shown, target } = await paths.use(call, call.workdir ?? ".", context)
      const found = await stat(target).catch(() => undefined)
      if (!found?.isDirectory()) {
        throw new Error(`Working directory not found: ${shown}. Give a workdir that is an existing directory.`)
      }
      const output = createCommandOutput({
        callID: context.callID,
        blobs: context.blobs,
        directory: outputDirectory,
        canDelegate: context.canDelegate,
      })
      const progress = createProgress(() => {
        context.progress({ title: call.command, metadata: { output: output.preview() } })
      }, PROGRESS_MS)
      const timeout = call.timeout ?? DEFAULT_TIMEOUT
      try {
        const end = await runCommand({
          command: call.command,
          cwd: target,
          env: { ...(await context.env()), TERM: "dumb" },
          timeout,
          signal: context.signal,
          live,
          onOutput(chunk) {
            progress.changed()
            return output.accept(chunk)
          },
        })
        progress.stop()
        const finished = await output.finish()
        const tests = readTests?.(finished.ending, end.exit ?? undefined)
        return {
          title: call.command,
          output: modelText(finished, end, timeout),
          metadata: {
            output: finished.preview,
            exit: end.exit,
            truncated: finished.omitted !== undefined,
            ...(finished.blob !== undefined && { blob: finished.blob }),
            // That nothing failed can be seen from the exit code.
            ...(tests?.isFailed && { tests: { isFailed: true, failing: tests.failing } }),
          },
        }
      } finally {
        progress.stop()
      }
    },
  })
}
