import { hidePasswords } from "@pawl/config/hide-passwords"
import type { Host } from "../host.ts"
import { quoted } from "../render/quoted.ts"
import type { SessionChoice } from "../session/find-session.ts"

export interface NextCommandFacts {
  /** How pawl was called: `pawl`, or what stands for it in a checkout. */
  readonly program: string
  readonly choice: SessionChoice
  readonly sessionID: string
  /** Of the session. */
  readonly directory: string
  /** Where the command will be typed. */
  readonly here: string
  /** Options that have to be given again, in pairs of name and value. */
  readonly options: readonly (readonly [name: string, value: string | undefined])[]
  /** What stands at the end. Default: a place for the next task. */
  readonly last?: string
}

/** What to type to go on with a session. */
export function nextCommand({
  program,
  choice,
  sessionID,
  directory,
  here,
  options,
  last = '"…"',
}: NextCommandFacts): string {
  const session = choice.type === "id" ? `-s ${sessionID}` : "-c"
  const place: [string, string | undefined] = [
    "--dir",
    choice.type === "id" || directory === here ? undefined : directory,
  ]
  const given = [place, ...options].flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${quoted(value)}`],
  )
  return [program, "run", session, ...given, last].join(" ")
}

/** The same for a session that is named, in the storage of `--storage`, if that was given. */
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
