import type { Tool } from "@pawl/core"
import { judgeActions, type NeedJudge } from "./check-need.ts"

export interface ShellJudge extends NeedJudge {
  /** Says what a command needs. */
  readonly bash: Pick<Tool, "parse" | "permissions">
  readonly directory: string
  readonly worktree: string
}

/** Resolves if the commands of a template may run. Throws UsageError as `judgeActions` does. */
export async function judgeShells(commands: readonly string[], judge: ShellJudge): Promise<void> {
  const { bash, directory, worktree } = judge
  const actions = commands.map(async (command) => {
    const needs = (await bash.permissions?.(bash.parse({ command }), { directory, worktree })) ?? []
    return {
      about: `The template runs ${JSON.stringify(command)}`,
      refusal: `The command's shell was refused: ${command}`,
      needs: needs.length > 0 ? needs : [{ permission: "bash", patterns: [command] }],
    }
  })
  await judgeActions(await Promise.all(actions), judge)
}
