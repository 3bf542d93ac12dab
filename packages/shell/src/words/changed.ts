import type { ParameterOperation } from "unbash"
import { wordArgument } from "./argument.ts"
import { BELOW, HERE, HOME, listing, type Names, OPEN } from "./hole.ts"
import { escaped, literalOf } from "./pattern.ts"

/** Applies an operation such as `${f%.ts}` to the names in a variable, if the result can be determined. */
export function changed(before: Names, operation: ParameterOperation): Names {
  const { names } = before
  const change = changeOf(operation)
  const found = change ? names.map(change) : [undefined]
  const known = found.filter((name) => name !== undefined)
  if (known.length < found.length) return OPEN
  const isMade = change !== lastName && change !== directory && names.some((name) => literalOf(name) === undefined)
  return { ...before, names: known, ...(isMade && { isMade, sources: [...(before.sources ?? []), ...names] }) }
}

type Change = (name: string) => string | undefined

function changeOf(operation: ParameterOperation): Change | undefined {
  switch (operation.type) {
    case "Remove": {
      const { operator, operand } = operation
      if (operator === "##" && operand.text === "*/") return lastName
      if (operator === "%" && operand.text === "/*") return directory
      const { value } = wordArgument(operand)
      if (operator.startsWith("%")) return value === undefined ? suffix(operand.text) : (name) => without(name, value)
      return value === undefined
        ? undefined
        : (name) => onLiteral(name, (text) => (text.startsWith(value) ? text.slice(value.length) : text))
    }
    case "Replace": {
      const [from, to] = [wordArgument(operation.pattern).value, wordArgument(operation.replacement).value]
      const { operator } = operation
      if (from === undefined || from === "" || to === undefined || operator === "/#" || operator === "/%")
        return undefined
      return (name) =>
        onLiteral(name, (text) => (operator === "//" ? text.replaceAll(from, () => to) : text.replace(from, () => to)))
    }
    case "Slice": {
      const [from, to] = [operation.offset.text.trim(), operation.length?.text.trim()]
      if (!/^\d+$/.test(from) || !/^\d*$/.test(to ?? "")) return undefined
      return (name) =>
        onLiteral(name, (text) => text.slice(Number(from), to === undefined ? undefined : Number(from) + Number(to)))
    }
    default:
      return undefined
  }
}

/** The value of a variable that contains a directory mark is unknown. */
function onLiteral(name: string, change: (text: string) => string): string | undefined {
  const text = literalOf(name)
  return text === undefined || name.includes(HOME) || name.includes(HERE) ? undefined : escaped(change(text))
}

/** Returns the text after the last slash. For a directory mark alone it is an unknown name. */
function lastName(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1)
  return last === HOME || last === HERE ? "*" : last
}

function directory(name: string): string | undefined {
  const start = name.indexOf(BELOW)
  if (start >= 0) return name.slice(0, start) + listing([])
  const end = name.lastIndexOf("/")
  if (end < 0) return name === HOME || name === HERE ? undefined : name
  return name.slice(0, end)
}

function without(name: string, end: string): string | undefined {
  const tail = escaped(end)
  if (name.endsWith(tail)) return name.slice(0, -tail.length)
  return onLiteral(name, (text) => text)
}

/** The text that `%.*` removes is in the last name. */
function suffix(pattern: string): Change | undefined {
  if (!/^[._-]\*$/.test(pattern)) return undefined
  const mark = pattern[0] ?? ""
  return (name) => {
    const end = name.lastIndexOf(mark)
    const rest = name.slice(end)
    // If a wildcard may match the mark, or the name has no mark, the rest is unknown.
    return end <= name.lastIndexOf("/") + 1 || /[*?[\]\\\ue001\ue002]/.test(rest) ? undefined : name.slice(0, end)
  }
}
