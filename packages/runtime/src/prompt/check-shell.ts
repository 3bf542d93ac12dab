import type { Tool } from "@pawl/core/tool"
import { checkActions, type ActionPolicy } from "./check-need.ts"

export interface ShellPolicy extends ActionPolicy {
  /** Says what a command needs. */
  readonly bash: Pick<Tool, "parse" | "permissions">
  readonly directory: string
  readonly worktree: string
}

/** Resolves if the commands of a template may run. Throws UsageError as `checkActions` does. */
export async function checkShells(commands: readonly string[], policy: ShellPolicy): Promise<void> {
  const { bash, directory, worktree } = policy
  const actions = commands.map(async (command) => {
    const needs = (await bash.permissions?.(bash.parse({ command }), { directory, worktree })) ?? []
    return {
      about: `The template runs ${JSON.stringify(command)}`,
      refusal: `The command's shell was refused: ${command}`,
      needs: needs.length > 0 ? needs : [{ permission: "bash", patterns: [command] }],
    }
  })
  await checkActions(await Promise.all(actions), policy)
}
