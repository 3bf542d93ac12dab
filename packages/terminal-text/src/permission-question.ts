import type { PermissionReply, PermissionRequest } from "@pawl/core/host"
import { BAR, barredLines, cutLine, foreignLine } from "./foreign-lines.ts"
import { wrap } from "./flow.ts"
import { type ProposedChange, proposedLines, proposedSides } from "./proposed-change.ts"
import type { Theme } from "./theme.ts"

export interface QuestionLayout {
  readonly columns: number
  readonly theme: Theme
  /** Shows the old text of a change beside the new one. Default: false */
  readonly isSideBySide?: boolean
}

/** Facts about the call besides its permission request. */
export interface AskingCall {
  /** Name of the subagent that asks. Undefined if the session's own agent asks. */
  readonly subagent?: string | undefined
  /** Description of the rule that requires the question. */
  readonly because?: string | undefined
  /** Input of the call. */
  readonly input?: Readonly<Record<string, unknown>> | undefined
  /** Change that the call would write. */
  readonly change?: ProposedChange | undefined
}

export interface PermissionAnswer {
  readonly reply: PermissionReply
  /** Instruction for the model after a no. */
  readonly message?: string
  /** Patterns of the user's own after an always. They may not match the call. */
  readonly patterns?: readonly string[]
}

/** Explanations of permissions whose names are not clear. */
const MEANINGS: Readonly<Record<string, string>> = {
  doom_loop: "Answered with yes, the model may go on for a while.",
  external_directory: "It lies outside of the project.",
  protected_file: "Writing there may run code, or change what pawl may do.",
}

/**
 * Renders the request, the reason and the scope of `always`: complete, and without characters that could hide a part of it.
 * `hint` says how to answer; empty if the program shows that otherwise.
 */
export function permissionLines(
  request: PermissionRequest,
  call: AskingCall,
  layout: QuestionLayout,
  hint: string = choices(request),
): string[] {
  const { permission, patterns, always, metadata } = request
  const { columns, theme } = layout
  const who = call.subagent === undefined ? "" : ` · ${foreignLine(call.subagent)}, a subagent, asks`
  const head = wrap(`? ${foreignLine(permission)}${who}`, columns)
  const words = permission === "doom_loop" && typeof metadata["message"] === "string" ? metadata["message"] : undefined
  const room = columns - 2
  const faintLines = (text: string) =>
    wrap(text, room)
      .flatMap((line) => cutLine(line, room))
      .map((line) => theme.faint(`  ${line}`))
  const meaning = MEANINGS[permission]
  const { unclear } = metadata
  return [
    ...head.map((line, at) => (at === 0 ? `${theme.warn("?")} ${theme.strong(line.slice(2))}` : theme.strong(line))),
    ...(words === undefined ? listed(patterns, columns) : barredLines(words, columns)),
    ...whereOf(request, columns, faintLines),
    ...(meaning === undefined ? [] : faintLines(meaning)),
    ...(call.because === undefined ? [] : faintLines(call.because)),
    ...(typeof unclear === "string" ? faintLines(`Asked because it is not clear: ${foreignLine(unclear)}`) : []),
    ...callDetails(request, call, layout),
    ...(canRemember(request) ? faintLines(alwaysWords(request)) : []),
    ...(canRemember(request) && !isSame(patterns, always) ? listed(always, columns) : []),
    ...(hint === "" ? [] : faintLines(hint)),
  ]
}

/** Returns true if `always` would allow anything. */
export function canRemember({ always }: PermissionRequest): boolean {
  return always.length > 0
}

/** Parses an answer, such as `n` with an instruction, or `a` with a pattern behind it. Undefined for an invalid answer. */
export function parsePermission(typed: string, request: PermissionRequest): PermissionAnswer | undefined {
  const word = typed.toLowerCase()
  if (word === "y" || word === "yes") return { reply: "once" }
  if (word === "n" || word === "no") return { reply: "reject" }
  if ((word === "a" || word === "always") && canRemember(request)) return { reply: "always" }
  const pattern = canRemember(request) ? /^a(?:lways)?\s+(\S.*)$/i.exec(typed)?.[1] : undefined
  if (pattern !== undefined) return { reply: "always", patterns: [pattern.trim()] }
  const message = /^no?[\s,:]+(.+)$/is.exec(typed)?.[1]?.trim()
  return message ? { reply: "reject", message } : undefined
}

function listed(texts: readonly string[], columns: number): string[] {
  if (texts.length === 1) return barredLines(texts[0] ?? "", columns)
  // The border between two texts must be visible.
  return texts.flatMap((text) => {
    return barredLines(text, columns - 2).map((line, at) => `${BAR}${at === 0 ? "· " : "  "}${line.slice(BAR.length)}`)
  })
}

function whereOf({ permission, metadata }: PermissionRequest, columns: number, faintLines: (text: string) => string[]) {
  const file = permission === "external_directory" ? metadata["filepath"] : undefined
  return typeof file === "string" ? [...faintLines("for"), ...barredLines(file, columns)] : []
}

/** Renders the whole command if the question is about a part of it, or the change that the call would make. */
export function callDetails(
  { permission, patterns }: Pick<PermissionRequest, "permission" | "patterns">,
  { input, change }: Pick<AskingCall, "input" | "change">,
  { columns, theme, isSideBySide = false }: QuestionLayout,
): string[] {
  const command = input?.["command"]
  const faintLine = (text: string) => theme.faint(`  ${text}`)
  if (change && change.lines.length > 0) {
    const head = change.isEverywhere ? "to change everywhere" : "to change"
    const sides = isSideBySide ? proposedSides(change, columns, theme) : undefined
    return [faintLine(head), ...(sides ?? proposedLines(change, columns, theme))]
  }
  if (permission === "doom_loop" || typeof command !== "string") return []
  if (patterns.length === 1 && patterns[0] === command.trim()) return []
  return [faintLine("in the command"), ...barredLines(command, columns)]
}

function alwaysWords({ patterns, always, permission, directory }: PermissionRequest): string {
  const inDirectory = directory === undefined ? "" : `in ${foreignLine(directory)}, `
  const scope = `${inDirectory}for this agent, in this session and its subagents`
  if (permission === "doom_loop")
    return `always: whenever ${always.map(foreignLine).join(", ")} repeats itself, ${scope}`
  return isSame(patterns, always) ? `always: exactly this, ${scope}` : `always: ${foreignLine(permission)} ${scope}, of`
}

function choices(request: PermissionRequest): string {
  return `[y]es once, ${canRemember(request) ? "[a]lways, a <other pattern>, " : ""}[n]o, or n <what to do instead>`
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at])
}
