import type { EditedText } from "../terminal/edited-text.ts"
import { type Cells, onCell, toCells, toEditedText } from "./cells.ts"
import { type Operator, parseMotion } from "./command.ts"
import * as edits from "./edits.ts"
import { operatedRange, runCommand } from "./run-command.ts"
import { isTextObject, objectRange } from "./text-objects.ts"
import { type VimState, type VimStep, withUndo } from "./vim-state.ts"

const OPERATORS: Readonly<Record<string, Operator>> = { d: "d", x: "d", X: "d", c: "c", s: "c", y: "y" }
const GRAMMAR = /^([1-9]\d*)?([^]*)$/

/** Returns the selected cells. */
export function selection({ mode, anchor }: Pick<VimState, "mode" | "anchor">, edited: EditedText): edits.Range {
  const { cells, at } = toCells(edited)
  const from = toCells({ text: edited.text, caret: anchor }).at
  const [first, last] = [Math.min(at, from), Math.max(at, from)]
  if (mode === "visual-line") return edits.linesOf(cells, first, last)
  return { from: first, to: Math.min(cells.length, last + 1), isLines: false }
}

/** Handles a key of a visual mode. `keys`: those of the command so far, with this one. */
export function visualKeys(state: VimState, keys: string, edited: EditedText): VimStep {
  const done: VimState = { ...state, keys: "" }
  const [, written, rest = ""] = GRAMMAR.exec(keys) ?? []
  const text = toCells(edited)
  if (rest === "" || /^[iar]$/.test(rest)) return { state: { ...state, keys }, edited }
  if (rest === "v" || rest === "V") {
    const mode = rest === "v" ? "visual" : "visual-line"
    return { state: { ...done, mode: state.mode === mode ? "normal" : mode }, edited }
  }
  if (rest === "o") {
    return { state: { ...done, anchor: edited.caret }, edited: { text: edited.text, caret: state.anchor } }
  }
  const range = selection(state, edited)
  const operator = OPERATORS[rest]
  if (operator) return operate(done, text, operator, range)
  if (rest === "~") return replaced(done, edited, { cells: edits.withOtherCase(text, range), at: range.from })
  if (/^r./su.test(rest)) {
    return replaced(done, edited, { cells: edits.withCharacter(text, range, rest.slice(1)), at: range.from })
  }
  if (rest === "J") {
    const lines = text.cells.slice(range.from, range.to).filter((cell) => cell === "\n").length + 1
    return replaced(done, edited, edits.joined({ ...text, at: range.from }, lines) ?? text)
  }
  if (rest === "p" || rest === "P") return replaced(done, edited, exchanged(text, range, state.register))
  const object = /^[ia](.)$/su.exec(rest)?.[1]
  if (object !== undefined) return selected(done, edited, object, rest.startsWith("i"))
  const motion = parseMotion(rest)
  if (motion === "more") return { state: { ...state, keys }, edited }
  if (!motion) return { state: done, edited }
  const { effect: _none, ...step } = runCommand(
    done,
    { type: "move", motion, ...(written === undefined ? {} : { count: Number(written) }) },
    edited,
  )
  return step
}

function operate(state: VimState, text: Cells, operator: Operator, range: edits.Range): VimStep {
  // Undone, the caret stands where the selection began.
  const before = toEditedText({ ...text, at: range.from })
  const { text: left, register = state.register, inserts = false } = operatedRange(text, operator, range)
  const next: VimState = { ...state, register, column: undefined }
  const at = operator === "y" ? range.from : left.at
  if (inserts) {
    const begun = toEditedText({ ...left, at })
    return { state: { ...next, mode: "insert", insertion: { before, begun } }, edited: begun }
  }
  return replaced(next, before, { ...left, at })
}

function replaced(state: VimState, before: EditedText, text: Cells): VimStep {
  const edited = toEditedText(onCell(text))
  return { state: withUndo({ ...state, mode: "normal" }, before, edited), edited }
}

/** Puts the register in the place of the selection. */
function exchanged(text: Cells, range: edits.Range, register: edits.Register): Cells {
  const rest = edits.without(text, range, true)
  const added = register.isLines && !range.isLines ? ["\n", ...register.cells, "\n"] : register.cells
  return edits.inserted(rest, added)
}

function selected(state: VimState, edited: EditedText, name: string, isInner: boolean): VimStep {
  const text = toCells(edited)
  const [from = 0, to = 0] = isTextObject(name) ? (objectRange(text, name, isInner) ?? []) : []
  if (from === to) return { state, edited }
  const anchor = toEditedText({ ...text, at: from }).caret
  return { state: { ...state, anchor }, edited: toEditedText({ ...text, at: to - 1 }) }
}
