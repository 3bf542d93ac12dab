import { hidePasswords } from "@pawl/config/hide-passwords"
import type { Host } from "../host.ts"
import { quoted } from "@pawl/terminal-text/quoted"
import type { SessionChoice } from "@pawl/runtime/session/find-session"

export interface NextCommandFacts {
  /** Command that started pawl: `pawl`, or the one of a checkout. */
  readonly program: string
  readonly choice: SessionChoice
  readonly sessionID: string
  /** Directory of the session, or the one from which its worktree was opened. */
  readonly directory: string
  /** Directory in which the user will type the command. */
  readonly here: string
  /** Name of the worktree that `--worktree` opened from `directory`. */
  readonly worktree?: string | undefined
  /** Options to repeat, as pairs of name and value. */
  readonly options: readonly (readonly [name: string, value: string | undefined])[]
  /** End of the command. Default: a placeholder for the next task. */
  readonly last?: string
}

/** Returns the command that continues a session. */
export function nextCommand({
  program,
  choice,
  sessionID,
  directory,
  here,
  worktree,
  options,
  last = '"…"',
}: NextCommandFacts): string {
  const session = choice.type === "id" ? `-s ${sessionID}` : "-c"
  const isHere = choice.type === "id" || directory === here
  const directoryOption: [string, string | undefined] = ["--dir", isHere ? undefined : directory]
  const inWorktree = choice.type === "id" || worktree === undefined ? [] : [`--worktree=${worktree}`]
  const optionWords = [directoryOption, ...options].flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${quoted(value)}`],
  )
  return [program, "run", session, ...inWorktree, ...optionWords, last].join(" ")
}

/** Returns the same for a session that is selected by id, in the storage of `--storage` if that was passed. */
export function nextCommandFor(
  { program, directory, repeated = [] }: Pick<Host, "program" | "directory" | "repeated">,
  sessionID: string,
  storage: string | undefined,
): string {
  const url = storage === undefined ? undefined : hidePasswords(storage)
  const choice = { type: "id", id: sessionID } as const
  const options = [["--storage", url], ...repeated] as const
  return nextCommand({ program, choice, sessionID, directory, here: directory, options })
}
