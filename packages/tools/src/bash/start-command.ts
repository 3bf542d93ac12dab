import type { Readable } from "node:stream"
import {
  callProcesses,
  type CallMark,
  createProcessTable,
  DEFAULT_GRACE,
  type ProcessTable,
  stopProcesses,
} from "@pawl/process-guard"
import { createLiveGroups, type LiveGroups } from "./live-groups.ts"
import { type ShellOptions, startShell } from "./shell.ts"

export interface CommandStart extends ShellOptions {
  readonly command: string
  /** Milliseconds from SIGTERM to SIGKILL when it is stopped; 0: it is never killed. Default: 1000. */
  readonly stopGrace?: number | undefined
  /** Where the command is entered while it runs. Absent: by itself. */
  readonly live?: LiveGroups
  /** Called when the command itself has ended; that counts as a part of it. Never rejects. */
  readonly onExit?: (() => Promise<unknown>) | undefined
  /** Where its processes are found when it is stopped, shared by commands that are stopped together. */
  readonly processes?: ProcessTable
}

export interface RunningCommand {
  /** How its processes are told from others. */
  readonly call: CallMark
  /** Both streams as one; stdout alone where stderr is kept apart. */
  readonly output: Readable
  readonly stderr?: Readable
  readonly stopGrace: number
  /** Resolves when the command itself ends, whatever it leaves in the background. Never rejects. */
  readonly ended: Promise<{ readonly exit: number | null; readonly signal: NodeJS.Signals | null }>
  /** Ends all that it started, also after its own end; resolves when nothing is left. */
  stop(): Promise<void>
  /**
   * Waits for the end, and for a process id that others may get from then on. Resolves with whether something is left
   * in the background, which `stop` still finds.
   */
  forgetLeader(): Promise<boolean>
  /** What it leaves in the background may outlive this process from now on. */
  release(): void
}

/** Starts a command in a shell. Rejects when there is none, or when the signal was aborted before it started. */
export async function startCommand(options: CommandStart): Promise<RunningCommand> {
  const { command, live = createLiveGroups(), processes = createProcessTable(), stopGrace = DEFAULT_GRACE } = options
  const { started, ...streams } = await startShell(command, options)
  const { child, call } = started
  const forget = live.add(call)
  const ended: RunningCommand["ended"] = new Promise((resolve) => {
    child.once("exit", (exit, signal) => {
      if (options.onExit) void options.onExit().then(() => resolve({ exit, signal }))
      else resolve({ exit, signal })
    })
  })
  return {
    ...{ call, ...streams, stopGrace, ended },
    // The leader of a sandbox stands guard over the others.
    stop: () => stopProcesses(call, processes, stopGrace, { isGuarded: options.wrap !== undefined }),
    async forgetLeader() {
      await ended
      const rows = (await processes.read()) ?? []
      started.forgetLeader()
      return callProcesses(rows, call).length > 0
    },
    release() {
      forget()
      started.release()
    },
  }
}
