import { forEachChild, type SyntaxNode } from "unbash"
import type { ReadState } from "./call.ts"
import { MAX_NESTED_LENGTH, MAX_STEPS, TOO_MANY_PARTS } from "./limits.ts"
import { noteAssigned, noteValue, noteWords } from "./names.ts"
import type { Notes } from "./notes.ts"
import { walkScript } from "./walk.ts"
import { unknown } from "./words/argument.ts"
import { excerpt } from "./words/quote.ts"

const COMPARES_NUMBERS = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"])
const PAYLOAD = /\$\(|`|\$\{[ |]|\\(?:x(?:24|60)|0?(?:44|140)|u0*(?:24|60))/i
const HAS_NAME = /[A-Za-z_]/

export function scanAll(nodes: readonly SyntaxNode[], state: ReadState, notes: Notes): void {
  for (const node of nodes) scan(node, state, notes)
}

/** Reads the substitutions in words, and records what evaluates values. */
export function scan(node: SyntaxNode, state: ReadState, notes: Notes): void {
  if (++notes.steps > MAX_STEPS) {
    notes.unclear.add(TOO_MANY_PARTS)
    return
  }
  switch (node.type) {
    case "Script":
      walkScript(node, state, notes)
      return
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      notes.nestedLength += node.text.length
      if (notes.nestedLength > MAX_NESTED_LENGTH) {
        notes.unclear.add("The command has too much within substitutions.")
        return
      }
      if (!node.script) notes.unclear.add(`The substitution ${excerpt(node.text)} could not be parsed.`)
      break
    case "ArithmeticExpansion":
      if (!node.expression && HAS_NAME.test(node.text)) noteCalculation(node.text, notes)
      break
    case "ArithmeticCommand":
      if (!node.expression) notes.unclear.add(`The calculation ${excerpt(node.body)} could not be parsed.`)
      break
    case "ArithmeticWord":
      if (HAS_NAME.test(node.value) || node.parts) noteCalculation(node.value, notes)
      break
    case "ArithmeticBinary":
      if (/^(?:[-+*/%&|^]|<<|>>)?=$/.test(node.operator) && node.left.type === "ArithmeticWord") {
        const name = /^\w+/.exec(node.left.value)?.[0]
        if (name !== undefined) {
          noteValue(name, undefined, notes)
          noteWords(name, [unknown(node.left.value, "", { type: "segment" })], notes)
        }
      }
      break
    case "TestBinary":
      if (COMPARES_NUMBERS.has(node.operator)) {
        for (const { text } of [node.left, node.right]) if (HAS_NAME.test(text)) noteCalculation(text, notes)
      }
      break
    case "TestUnary":
      if (node.operator === "-v" && /[[$`]/.test(node.operand.text)) noteCalculation(node.operand.text, notes)
      break
    case "Assignment":
      if (node.index && HAS_NAME.test(node.index.text)) noteCalculation(node.text, notes)
      if (node.value.type === "Word" && /\$'?$/.test(node.value.text)) notes.payloads.add(excerpt(node.text))
      break
    case "ParameterExpansion":
      noteParameter(node, notes)
      break
    case "Word":
      if (!node.parts) notePayload(node.value, notes)
      break
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      notePayload(node.value, notes)
      break
    case "HereDocBody":
      if (!node.parts) notePayload(node.text, notes)
      break
    default:
  }
  const inner = node.type === "CommandExpansion" ? { ...state, isRead: true } : state
  forEachChild(node, (child) => scan(child, inner, notes))
}

function noteParameter(node: Extract<SyntaxNode, { type: "ParameterExpansion" }>, notes: Notes): void {
  const { operation, index, text } = node
  if (node.prefix === "!" || (index && HAS_NAME.test(index.text))) noteCalculation(text, notes)
  switch (operation?.type) {
    case "Slice":
      if (HAS_NAME.test(operation.offset.text + (operation.length?.text ?? ""))) noteCalculation(text, notes)
      return
    case "Transform":
      if (/[PA]/.test(operation.operator + operation.operand.text))
        notes.unclear.add(`The expansion ${excerpt(text)} runs the substitutions in a value.`)
      return
    case "Default":
      // In double quotes and here-documents these quotes are ordinary characters.
      if (
        operation.operand.parts?.some(
          (part) => /^(?:Single|AnsiC)Quoted$/.test(part.type) && /[$`]/.test(part.text.slice(1)),
        )
      )
        notes.unclear.add(`Whether ${excerpt(text)} substitutes what is in its quotes is not clear.`)
      if (operation.operator.endsWith("=")) noteAssigned(node.parameter, [operation.operand], notes, { isText: true })
      return
    case "Unknown":
      notes.unclear.add(`The expansion ${excerpt(text)} is not known.`)
      return
    default:
  }
}

/** Arithmetic evaluates the values of its variables, including substitutions in subscripts. */
export function noteCalculation(text: string, notes: Notes): void {
  notes.calculated.add(excerpt(text))
}

export function notePayload(value: string, notes: Notes): void {
  if (PAYLOAD.test(value)) notes.payloads.add(excerpt(value))
}
