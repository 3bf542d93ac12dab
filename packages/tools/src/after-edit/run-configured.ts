import type { ToolContext } from "@pawl/core/tool"
import type { Guardian } from "@pawl/process-guard"
import { commandEnvironment } from "../bash/command-environment.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import type { ConfiguredProgram } from "./configured-program.ts"
import { type ProgramEnd, runProgram } from "./run-program.ts"

export interface ProgramDeps {
  readonly context: ToolContext
  readonly sandbox?: Sandbox | undefined
  /** Milliseconds between SIGTERM and SIGKILL; 0: SIGKILL is never sent. Default: 1000. */
  readonly stopGrace?: number | undefined
  /** Ends programs if this process dies. */
  readonly guardian: Guardian
}

/** Runs the program in the worktree. Rejects only if the call is aborted. */
export async function runConfigured(
  { environment, timeout }: Pick<ConfiguredProgram, "environment"> & { readonly timeout: number },
  argv: readonly string[],
  { context, sandbox, stopGrace, guardian }: ProgramDeps,
): Promise<ProgramEnd> {
  const cwd = context.worktree
  const env = { ...commandEnvironment({ ...(await context.env()), ...environment }), ...sandbox?.env }
  // Reports progress, because several programs together may take longer than a tool may be silent.
  context.progress({})
  const settle = await sandbox?.watch({ ...context, cwd })
  const wrapped = (await sandbox?.wrap(argv, { ...context, cwd })) ?? argv
  try {
    return await runProgram({ argv: wrapped, cwd, env, timeout, stopGrace, guardian, signal: context.signal })
  } finally {
    await settle?.()
  }
}

/** Describes a failure; undefined if the program ended with exit code 0. */
export function failureOf(end: ProgramEnd, timeout: number): string | undefined {
  if (end.type === "not-started") return `could not be started: ${end.reason}`
  if (end.type === "late") return `did not end within ${timeout / 1000} s and was stopped`
  if (end.exit === 0) return undefined
  return end.exit === null ? "was ended by a signal" : `failed with exit code ${end.exit}`
}
