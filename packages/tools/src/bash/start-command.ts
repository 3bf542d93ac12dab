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
  /** Milliseconds between SIGTERM and SIGKILL; 0: SIGKILL is never sent. Default: 1000. */
  readonly stopGrace?: number | undefined
  /** Registry of running commands. Default: a new one. */
  readonly live?: LiveGroups
  /** Called when the command has ended and counts as a part of it. Must not reject. */
  readonly onExit?: (() => Promise<unknown>) | undefined
  /** Finds the processes to stop. Shared by commands that are stopped together. */
  readonly processes?: ProcessTable
}

export interface RunningCommand {
  /** Identifies the command's processes. */
  readonly call: CallMark
  /** stdout and stderr as one stream, or stdout alone if `isStderrApart` is set. */
  readonly output: Readable
  readonly stderr?: Readable
  readonly stopGrace: number
  /** Resolves when the command itself ends, even if background processes are left. Never rejects. */
  readonly ended: Promise<{ readonly exit: number | null; readonly signal: NodeJS.Signals | null }>
  /** Ends all its processes, also after the command has ended. Resolves when they are gone. */
  stop(): Promise<void>
  /**
   * Waits for the end and releases the process id. Resolves with true if background processes are left; `stop` still
   * ends them.
   */
  forgetLeader(): Promise<boolean>
  /** Lets background processes outlive this process. */
  release(): void
}

/** Starts a command in a shell. Rejects if the shell is missing or the signal was already aborted. */
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
    // The leader of a sandbox supervises the other processes.
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
