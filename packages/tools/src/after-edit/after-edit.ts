import type { ToolContext } from "@pawl/core/tool"
import { createGuardian } from "@pawl/process-guard"
import type { AfterWrite } from "../file/change-file.ts"
import type { ConfiguredProgram } from "./configured-program.ts"
import type { EditedFile } from "./edited-file.ts"
import type { ProgramDeps } from "./run-configured.ts"

/** Programs that run after an edit. Default: none. */
export interface AfterEditOptions {
  /** Rewrite files of their extensions, in this order. Default timeout: 30 s. */
  readonly formatters?: readonly ConfiguredProgram[]
  /**
   * Check changed files. The model reads the output of a check whose exit code is not 0. A check without `$FILE` runs
   * once per call, however many files were changed. Default timeout: 60 s.
   */
  readonly checks?: readonly ConfiguredProgram[]
}

/** Returns messages for the model. Rejects only if the call is aborted. */
export type CheckFiles = (files: readonly EditedFile[], context: ToolContext) => Promise<readonly string[]>

export interface AfterEdit {
  /** Runs the formatters. If a formatter fails, the file is restored and the model gets a note. */
  readonly format: AfterWrite
  readonly check: CheckFiles
  /** For tools that change one file. */
  readonly formatAndCheck: AfterWrite
}

/** Runs the programs in the worktree, with the environment of child processes, and in the sandbox if one is set. */
export function createAfterEdit(
  { formatters = [], checks = [] }: AfterEditOptions,
  programs: Partial<Omit<ProgramDeps, "context">> = {},
): AfterEdit {
  const deps = { guardian: createGuardian({ grace: programs.stopGrace }), ...programs }
  for (const { name, command } of [...formatters, ...checks]) {
    if (!command[0])
      throw new Error(`"${name}", which is to run after edits, has no command. Give a program and its arguments.`)
  }
  const format: AfterWrite = async (file, context) => {
    if (formatters.length === 0) return []
    const { formatFile } = await import("../at-call.ts")
    return formatFile(formatters, file, { ...deps, context })
  }
  const check: CheckFiles = async (files, context) => {
    if (checks.length === 0) return []
    const { checkFiles } = await import("../at-call.ts")
    return checkFiles(checks, files, { ...deps, context })
  }
  return {
    format,
    check,
    formatAndCheck: async (file, context) => [...(await format(file, context)), ...(await check([file], context))],
  }
}
