import { callNeeds, judgeNeeds, type PermissionNeed, permissionRules } from "@pawl/core/permission"
import type { ServerHost } from "./host.ts"

export interface JudgedCommand {
  readonly words: readonly string[]
  /** Variables that are set for the command. Default: none */
  readonly variables?: Readonly<Record<string, string>>
  /** Directory to run in. Default: the host's */
  readonly workdir?: string | undefined
  /** Judged besides the command. Default: nothing */
  readonly also?: readonly PermissionNeed[]
}

/**
 * Judges a command as a call of bash, so that a shell or a program that runs another one hides nothing. The rules of
 * single agents do not apply, and no user is asked.
 */
export async function judgeCommand(
  host: Pick<ServerHost, "directory" | "worktree" | "permission" | "tools">,
  { words, variables = {}, workdir, also = [] }: JudgedCommand,
): Promise<ReturnType<typeof judgeNeeds>> {
  const { directory, worktree } = host
  const permission = host.permission?.() ?? []
  const rules = permissionRules({ agents: new Map(), permission }, { name: "" }, {}, [])
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`)
  const [program = "", ...args] = words
  // A shell would read "A=b" as an assignment, and the word after it as the program.
  const first = program.includes("=") ? quotedAlways(program) : quoted(program)
  const command = [...assignments, first, ...args.map(quoted)].join(" ")
  const bash = (await host.tools?.())?.find(({ name }) => name === "bash")
  const needs = bash
    ? await callNeeds(bash, { command, ...(workdir === undefined ? {} : { workdir }) }, { directory, worktree })
    : [{ permission: "bash", patterns: [command] }]
  return judgeNeeds({ rules, agent: "", approvals: [] }, [...needs, ...also])
}

/** Quotes a word for a POSIX shell if it needs that. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quotedAlways(word)
}

function quotedAlways(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
