import type { EditedText } from "../terminal/edited-text.ts"
import { type Cells, cellsOf, columnOf, firstText, lineEnd, lineStart, onCell, toCells, toEditedText } from "./cells.ts"
import type { Command } from "./command.ts"
import * as edits from "./edits.ts"
import { keepsColumn, type Motion, motionEnd, withSearch } from "./motions.ts"
import { type Repeatable, type VimState, type VimStep, withUndo } from "./vim-state.ts"

/** The result of a command that changes the text or copies from it. */
interface Change {
  readonly text: Cells
  readonly register?: edits.Register
  /** Insert mode begins. */
  readonly inserts?: boolean
}

/** Runs a command of normal mode. */
export function runCommand(state: VimState, command: Command, edited: EditedText): VimStep {
  if (command.type === "move") return move(state, command.motion, command.count, edited)
  if (command.type === "simple") {
    const { name, count = 1 } = command
    if (name === "u" || name === "redo") return undo(state, edited, name === "u", count)
    if (name === ".") return repeat(state, edited, command.count)
    if (name === "v") return { state: { ...state, mode: "visual", anchor: edited.caret }, edited }
    if (name === "V") return { state: { ...state, mode: "visual-line", anchor: edited.caret }, edited }
  }
  const searched = command.type === "operate" ? withMotion(state, command) : command
  const change = searched && changeOf(state, searched, toCells(edited))
  if (!searched || !change) return { state, edited }
  return applied(withFound(state, searched), searched, change, edited)
}

function applied(state: VimState, command: Command, change: Change, before: EditedText): VimStep {
  const { text, register = state.register, inserts = false } = change
  const next = { ...state, register, column: undefined }
  if (inserts) {
    const begun = toEditedText(text)
    return { state: { ...next, mode: "insert", insertion: { before, begun, command } }, edited: begun }
  }
  const edited = toEditedText(onCell(text))
  const isYank = command.type === "operate" && command.operator === "y"
  return { state: withUndo(isYank ? next : { ...next, last: { command, typed: "" } }, before, edited), edited }
}

function move(state: VimState, motion: Motion, count: number | undefined, edited: EditedText): VimStep {
  const found = withSearch(motion, state.search)
  const text = toCells(edited)
  const column = state.column ?? columnOf(text.cells, text.at)
  const end = found && motionEnd(text, found, count, column)
  if (!found || !end) {
    const isVertical = count === undefined && keepsColumn(motion)
    return { state, edited, ...(isVertical ? { effect: motion.name === "k" ? "older" : "newer" } : {}) }
  }
  const search =
    found.character !== undefined && !found.isRepeated ? { ...found, character: found.character } : state.search
  const kept = keepsColumn(motion) ? column : motion.name === "$" ? Infinity : undefined
  return { state: { ...state, search, column: kept }, edited: toEditedText(onCell({ ...text, at: end.to })) }
}

type Operate = Extract<Command, { readonly type: "operate" }>

function withMotion(state: VimState, command: Operate): Command | undefined {
  if (command.target.type !== "motion") return command
  const motion = withSearch(command.target.motion, state.search)
  return motion && { ...command, target: { type: "motion", motion } }
}

function withFound(state: VimState, command: Command): VimState {
  const motion = command.type === "operate" && command.target.type === "motion" ? command.target.motion : undefined
  if (motion?.character === undefined || motion.isRepeated) return state
  return { ...state, search: { name: motion.name, character: motion.character } }
}

/** Returns what a command does with the text. Undefined if it does not apply. */
function changeOf(state: VimState, command: Command, text: Cells): Change | undefined {
  if (command.type === "operate") return operated(command, text)
  if (command.type === "replace") {
    const { count = 1, character } = command
    const range = edits.cellsFrom(text, count)
    if (range.to - range.from < count) return undefined
    return { text: { cells: edits.withCharacter(text, range, character), at: range.to - 1 } }
  }
  if (command.type === "move") return undefined
  const { name, count = 1 } = command
  const { cells, at } = text
  const end = lineEnd(cells, at)
  const inserting = (to: number): Change => ({ text: { cells, at: to }, inserts: true })
  switch (name) {
    case "i":
      return inserting(at)
    case "I":
      return inserting(firstText(cells, at))
    case "a":
      return inserting(Math.min(end, at + 1))
    case "A":
      return inserting(end)
    case "o":
      return { text: { cells: cells.toSpliced(end, 0, "\n"), at: end + 1 }, inserts: true }
    case "O":
      return { text: edits.inserted({ cells, at: lineStart(cells, at) }, ["\n"]), inserts: true }
    case "p":
    case "P":
      return state.register.cells.length === 0 && !state.register.isLines
        ? undefined
        : { text: edits.put(text, state.register, name === "P", count) }
    case "J": {
      const joined = edits.joined(text, count)
      return joined && { text: joined }
    }
    case "~": {
      const range = edits.cellsFrom(text, count)
      return { text: { cells: edits.withOtherCase(text, range), at: range.to } }
    }
    default:
      return undefined
  }
}

function operated({ operator, target, count }: Operate, text: Cells): Change | undefined {
  const range = edits.rangeOf(text, operator, target, count)
  return range && operatedRange(text, operator, range)
}

/** Deletes, changes or copies a range. */
export function operatedRange(text: Cells, operator: Operate["operator"], range: edits.Range): Change {
  if (operator === "y") return { text: edits.afterYank(text, range), register: edits.taken(text, range) }
  const isEmpty = range.from === range.to && !range.isLines
  return {
    text: edits.without(text, range, operator === "c"),
    ...(isEmpty ? {} : { register: edits.taken(text, range) }),
    inserts: operator === "c",
  }
}

function undo(state: VimState, edited: EditedText, isBack: boolean, count: number): VimStep {
  let [past, future, current] = [[...state.past], [...state.future], edited]
  for (let left = count; left > 0; left--) {
    const [from, to] = isBack ? [past, future] : [future, past]
    const found = from.pop()
    if (!found) break
    to.push(current)
    current = found
  }
  return { state: { ...state, past, future, column: undefined }, edited: toEditedText(onCell(toCells(current))) }
}

/** Runs the last change again, with another count if one was typed. */
function repeat(state: VimState, edited: EditedText, count: number | undefined): VimStep {
  const { last } = state
  if (!last) return { state, edited }
  const step = runCommand(state, { ...last.command, ...(count === undefined ? {} : { count }) }, edited)
  return step.state.mode === "insert" ? leaveInsert(step.state, withTyped(step.edited, last)) : step
}

function withTyped({ text, caret }: EditedText, { typed }: Repeatable): EditedText {
  return { text: text.slice(0, caret) + typed + text.slice(caret), caret: caret + typed.length }
}

/** Ends insert mode: what was typed becomes one change. */
export function leaveInsert(state: VimState, edited: EditedText): VimStep {
  const { before = edited, begun = edited, command } = state.insertion ?? {}
  const typed = typedText(begun, edited)
  const count = command?.type === "simple" ? (command.count ?? 1) : 1
  const isLine = command?.type === "simple" && /^[oO]$/.test(command.name)
  const line = `${isLine ? "\n" : ""}${typed}`
  const again = typed === "" ? "" : line.repeat(edits.repetitions(count, line.length) - 1)
  const { text, caret } = edited
  const whole = { text: text.slice(0, caret) + again + text.slice(caret), caret: caret + again.length }
  const { cells, at } = toCells(whole)
  const after = toEditedText(onCell({ cells, at: Math.max(lineStart(cells, at), at - 1) }))
  const next: VimState = { ...state, mode: "normal", keys: "", column: undefined, insertion: undefined }
  const last = command ? { command, typed } : state.last
  return { state: withUndo({ ...next, last }, before, after), edited: after }
}

/** Returns what was typed between two texts: everything between their common beginning and their common end. */
function typedText(before: EditedText, after: EditedText): string {
  const [old, now] = [cellsOf(before.text), cellsOf(after.text)]
  const caret = toCells(before).at
  let start = 0
  while (start < caret && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++
  return now.slice(start, now.length - end).join("")
}

/** Applies a text that the editor changed itself outside of insert mode, such as by a paste. */
export function afterOther(state: VimState, before: EditedText, after: EditedText): VimStep {
  const edited = toEditedText(onCell(toCells(after)))
  return { state: withUndo({ ...state, column: undefined }, before, edited), edited }
}
