import type { ToolContext } from "@pawl/core/tool"
import { createGuardian } from "@pawl/process-guard"
import type { AfterWrite } from "../file/change-file.ts"
import type { ConfiguredProgram } from "./configured-program.ts"
import type { EditedFile } from "./edited-file.ts"
import type { ProgramScene } from "./run-configured.ts"

/** What runs after an edit; nothing does unless it is named here. */
export interface AfterEditOptions {
  /** Each rewrites the files that it is for, in this order. Default timeout: 30 s. */
  readonly formatters?: readonly ConfiguredProgram[]
  /**
   * Each looks at what was changed, for the model to read where it finds fault: its exit code is not 0. Without `$FILE`
   * it runs once, whatever number of files was changed. Default timeout: 60 s.
   */
  readonly checks?: readonly ConfiguredProgram[]
}

/** Resolves with what the checks found, for the model; rejects only when the call is aborted. */
export type CheckFiles = (files: readonly EditedFile[], context: ToolContext) => Promise<readonly string[]>

export interface AfterEdit {
  /** Runs the formatters. One that fails becomes a note, and the file is as it was before that formatter. */
  readonly format: AfterWrite
  readonly check: CheckFiles
  /** Both, for a tool that changes one file. */
  readonly formatAndCheck: AfterWrite
}

/** The programs run in the worktree with the environment of child processes, and in the sandbox where there is one. */
export function createAfterEdit(
  { formatters = [], checks = [] }: AfterEditOptions,
  programs: Partial<Omit<ProgramScene, "context">> = {},
): AfterEdit {
  const scene = { guardian: createGuardian({ grace: programs.stopGrace }), ...programs }
  for (const { name, command } of [...formatters, ...checks]) {
    if (!command[0])
      throw new Error(`"${name}", which is to run after edits, has no command. Give a program and its arguments.`)
  }
  const format: AfterWrite = async (file, context) => {
    if (formatters.length === 0) return []
    const { formatFile } = await import("../at-call.ts")
    return formatFile(formatters, file, { ...scene, context })
  }
  const check: CheckFiles = async (files, context) => {
    if (checks.length === 0) return []
    const { checkFiles } = await import("../at-call.ts")
    return checkFiles(checks, files, { ...scene, context })
  }
  return {
    format,
    check,
    formatAndCheck: async (file, context) => [...(await format(file, context)), ...(await check([file], context))],
  }
}
