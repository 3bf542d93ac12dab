import { realpath } from "node:fs/promises"
import { homedir } from "node:os"
import { relative } from "node:path"
import { expandTemplate, TemplateError, type TemplatePiece } from "@pawl/config"
import type { Agent, PromptPart } from "@pawl/core"
import { decidePermission, isInProject, withPlainSecretNames } from "@pawl/core/permission"
import { UsageError } from "@pawl/config/usage-error"
import type { ChosenCommand } from "./find-command.ts"
import { withFileCheck } from "./check-file.ts"
import { checkShells, type ShellPolicy } from "./check-shell.ts"
import { type MentionContext, mentionParts } from "./mentioned-parts.ts"
import { shellOutput, type ShellContext } from "./shell-output.ts"

/** The context in which a template is expanded. */
export interface TemplateContext extends ShellPolicy, ShellContext, Pick<MentionContext, "resources" | "notice"> {
  readonly agents: ReadonlyMap<string, Agent>
  /** Set if the project is trusted. */
  readonly isTrusted: boolean
}

export interface ExpandedCommand {
  readonly text: string
  /** Parts for the files and agents that the template names. */
  readonly parts: readonly PromptPart[]
}

/**
 * Returns the prompt of a command. Checks all shell commands before running the first one. Throws UsageError if one may
 * not run, or if the arguments cannot be inserted into a shell command safely.
 */
export async function expandCommand(
  { command, arguments: args }: ChosenCommand,
  context: TemplateContext,
): Promise<ExpandedCommand> {
  const pieces = piecesOf(command.template, args, command.name)
  const shells = pieces.filter((piece) => piece.type === "shell")
  if (shells.length > 0 && command.isProject && !context.isTrusted) {
    throw new UsageError(
      `/${command.name} comes with this project and runs ${JSON.stringify(shells[0]?.command)}: the project is not trusted.`,
      "To see what it would do and allow it: pawl trust",
    )
  }
  await checkShells(
    shells.map((shell) => shell.command),
    context,
  )
  const { resources: _, ...files } = context
  // The user did not choose the files that a project's command names.
  const fileContext = command.isProject
    ? { ...files, checkFile: (path: string) => projectFile(path, context) }
    : withFileCheck(context)
  const texts: string[] = []
  const parts: PromptPart[] = []
  for (const piece of pieces) {
    if (piece.type === "shell") texts.push(await shellOutput(piece.command, context))
    else texts.push(piece.text)
    if (piece.type === "file") parts.push(...(await mentionParts(piece.path, fileContext)))
  }
  return { text: texts.join("").trim(), parts }
}

function piecesOf(template: string, args: string, name: string): TemplatePiece[] {
  try {
    return expandTemplate(template, args)
  } catch (error) {
    if (error instanceof TemplateError) throw new UsageError(`/${name}: ${error.message}`)
    throw error
  }
}

/** Returns a file of a project's command only if it is in the project and may be read without asking: the user does not know which files it names. */
async function projectFile(
  path: string,
  { worktree, rules }: Pick<TemplateContext, "worktree" | "rules">,
): Promise<string | undefined> {
  const [real, root, home] = await Promise.all([realpath(path), realpath(worktree), realpath(homedir()).catch(homedir)])
  if (!isInProject(real, { roots: [root], home })) return undefined
  const below = relative(root, real)
  const { action } = decidePermission(rules, { permission: "read", patterns: [below, withPlainSecretNames(below)] })
  return action === "allow" ? real : undefined
}
