import { basename } from "node:path"
import { canonicalJSON, defineTool, type Tool, type ToolContext } from "@pawl/core/tool"
import { createGuardian, createProcessTable, type Guardian } from "@pawl/process-guard"
import { displayName } from "../display-name.ts"
import { relativeName } from "../paths.ts"
import type { SetAside } from "../sandbox/left-places.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import { commandField, countField, flagField, optional, textField, toolInput } from "../tool-input.ts"
import type { ToolPaths } from "../tool-paths.ts"
import { commandEnvironment } from "./command-environment.ts"
import { createDirectoryReport } from "./directory-report.ts"
import type { ReadTests } from "./foreground.ts"
import type { Jobs } from "./jobs/jobs.ts"
import { findShell, type Shell } from "./find-shell.ts"
import { createLiveGroups } from "./live-groups.ts"
import type { CommandStart } from "./start-command.ts"
import { createSessionDirectories, type SessionWorkspace } from "./session-directories.ts"
import { createStartDirectories } from "./start-place.ts"
import { isWaitingCommand } from "./waiting-command.ts"

interface Start extends Omit<CommandStart, "live" | "processes" | "guardian" | "onExit"> {
  readonly onExit?: () => Promise<readonly SetAside[]>
}

const DEFAULT_TIMEOUT_MS = 120_000

const input = toolInput("bash", {
  command: commandField("The command to run"),
  timeout: optional(
    countField(`Milliseconds until the command is ended (default ${DEFAULT_TIMEOUT_MS}; in the background: none)`),
  ),
  workdir: optional(textField("The directory to run in, for this call only (default: where the last command ended)")),
  background: optional(flagField("Run it as a job: for servers, watchers and what takes long")),
})
type Input = ReturnType<typeof input.parse>

export interface BashToolOptions {
  readonly paths: ToolPaths
  /** Runs background commands. If missing, nothing can run in the background. */
  readonly jobs?: Jobs | undefined
  /** Parses commands. Default: the shell that `findShell` finds. */
  readonly shell?: Shell | undefined
  /** Milliseconds between SIGTERM and SIGKILL; 0: SIGKILL is never sent. Default: 1000. */
  readonly stopGrace?: number | undefined
  /** Ends commands if this process dies. Default: a new guardian. */
  readonly guardian?: Guardian | undefined
  /** Runs each command. Default: commands have the rights of this process. */
  readonly sandbox?: Sandbox | undefined
  /** Absolute directory for long outputs, which the model can read. Default: long outputs are stored as blobs only. */
  readonly outputDirectory?: string | undefined
  /**
   * Finds test results in the last 1 MiB of an output, of which the model may see less. If missing, `metadata.tests` is
   * never set.
   */
  readonly readTests?: ReadTests | undefined
}

function leftNote(name: string, to: string): string {
  return `${displayName(name)} decides over later commands, so what the sandbox left there is called ${displayName(to)} now.`
}

export function bashTool(options: BashToolOptions): Tool<Input> {
  const { paths, jobs, shell = findShell(), stopGrace, sandbox, outputDirectory, readTests } = options
  const { guardian = createGuardian({ grace: stopGrace }) } = options
  const live = createLiveGroups()
  const processes = createProcessTable()
  const directories = createSessionDirectories()
  const startDirectories = createStartDirectories({ paths, directories })

  /** The session's next command starts in the directory where this one ends. */
  async function run(call: Input, context: ToolContext, cwd: string, start: Start) {
    const { runInForeground } = await import("../at-call.ts")
    const report =
      // Only bash reports its directory.
      call.workdir === undefined && shell.name === "bash"
        ? await createDirectoryReport({ env: start.env, temporary: sandbox?.temporary })
        : undefined
    try {
      return await runInForeground(
        {
          ...{ ...start, live, processes, guardian, outputDirectory, readTests },
          env: { ...start.env, ...report?.env },
          timeout: call.timeout ?? DEFAULT_TIMEOUT_MS,
          next: () => directories.next(context),
          async toLeftoverNotes() {
            const left = (await start.onExit?.()) ?? []
            return left.map(({ path, to }) => leftNote(relativeName(context.directory, path), basename(to)))
          },
          async toDirectoryNote() {
            const to = await report?.read()
            return to === undefined ? undefined : startDirectories.ended(context, cwd, to)
          },
        },
        context,
      )
    } finally {
      report?.remove()
    }
  }

  return defineTool<Input>({
    name: "bash",
    description:
      `Runs a command in a new shell (${shell.name}) and returns its output, stdout and stderr together. Nothing can be typed into it. ` +
      "Of a long output you see the last 2000 lines or 50 KB. A `cd` holds for the next call. The call ends when the " +
      "command exits; with `background` it goes on as a job: see bash_output and bash_kill. " +
      "Use read, edit, write, glob, grep and list rather than shell commands for what those tools can do. " +
      "Run independent commands as parallel calls; chain dependent ones with `&&`. Quote paths that contain spaces.",
    ...input,
    effect: "unsafe",
    worksInProcesses: true,
    keep: "tail",
    // Leaves out the timeout, which models vary when they repeat a command.
    loopKey: ({ command, workdir, background }) => canonicalJSON({ command, workdir, background }),
    pollable: ({ command }) => typeof command === "string" && isWaitingCommand(command),
    async permissions(call, workspace: SessionWorkspace) {
      const { needs, cwd } = await startDirectories.judge(call, workspace)
      const { commandNeeds } = await import("../at-call.ts")
      return [...needs, ...(await commandNeeds(call.command, { ...workspace, cwd, paths, shell }))]
    },
    async changedFiles(call, workspace: SessionWorkspace) {
      const cwd = startDirectories.of(call, workspace)
      const { commandTargets } = await import("../at-call.ts")
      return commandTargets(call.command, { ...workspace, cwd, paths })
    },
    async execute(call, context) {
      const cwd = await startDirectories.use(call, context)
      const { command } = call
      const environment = commandEnvironment(await context.env())
      const settle = await sandbox?.watch({ ...context, cwd })
      const start: Start = {
        ...{ command, cwd, shell, stopGrace },
        env: { ...environment, ...sandbox?.env },
        signal: context.signal,
        ...(settle && { onExit: settle }),
        ...(sandbox && { wrap: (argv) => sandbox.wrap(argv, { ...context, cwd }) }),
      }
      try {
        if (call.background !== true) return await run(call, context, cwd, start)
        if (!jobs) throw new Error("No command can run in the background here. Call bash without background.")
        const { runInBackground } = await import("../at-call.ts")
        const isReadable = outputDirectory !== undefined
        return await runInBackground({ ...start, jobs, isReadable, timeout: call.timeout }, context)
      } catch (error) {
        // The command may not have started.
        await settle?.()
        throw error
      }
    },
  })
}
