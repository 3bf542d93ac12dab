import type { ToolContext } from "@pawl/core/tool"
import type { Guardian } from "@pawl/process-guard"
import { commandEnvironment } from "../bash/command-environment.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import type { ConfiguredProgram } from "./configured-program.ts"
import { type ProgramEnd, runProgram } from "./run-program.ts"

export interface ProgramScene {
  readonly context: ToolContext
  readonly sandbox?: Sandbox | undefined
  /** Milliseconds that a program has from SIGTERM to SIGKILL; 0: it is never killed. Default: 1000. */
  readonly stopGrace?: number | undefined
  /** Ends a program if this process dies. */
  readonly guardian: Guardian
}

/** Runs it in the worktree, by `argv`. Rejects only when the call is aborted. */
export async function runConfigured(
  { environment, timeout }: Pick<ConfiguredProgram, "environment"> & { readonly timeout: number },
  argv: readonly string[],
  { context, sandbox, stopGrace, guardian }: ProgramScene,
): Promise<ProgramEnd> {
  const cwd = context.worktree
  const env = { ...commandEnvironment({ ...(await context.env()), ...environment }), ...sandbox?.env }
  // A sign of life: several programs may take longer together than a tool may be silent.
  context.progress({})
  const settle = await sandbox?.watch({ ...context, cwd })
  const wrapped = (await sandbox?.wrap(argv, { ...context, cwd })) ?? argv
  try {
    return await runProgram({ argv: wrapped, cwd, env, timeout, stopGrace, guardian, signal: context.signal })
  } finally {
    await settle?.()
  }
}

/** Why it counts for nothing; undefined where it ended by itself with exit code 0. */
export function failureOf(end: ProgramEnd, timeout: number): string | undefined {
  if (end.type === "not-started") return `could not be started: ${end.reason}`
  if (end.type === "late") return `did not end within ${timeout / 1000} s and was stopped`
  if (end.exit === 0) return undefined
  return end.exit === null ? "was ended by a signal" : `failed with exit code ${end.exit}`
}
