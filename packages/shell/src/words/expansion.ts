import type { ParameterExpansionPart } from "unbash"
import { type Argument, wordArgument } from "./argument.ts"

/** A variable in a word, with what is made of its value there. */
export interface Expansion {
  /** Of the variable; `@` for any of the positional parameters. */
  readonly name: string
  /** What may stand in the place of the value or of a part of it. */
  readonly given: readonly Argument[]
  /** What may be missing of the beginning of the value: directories, or anything. */
  readonly cut?: "directories" | "anything"
  /** Set for all values of a list: `words` are separate without quotes as well as in them, `joined` only without. */
  readonly list?: "words" | "joined"
  /** It may be empty although the variable has a value: all of a list, or one of its values. */
  readonly isOptional?: true
  /** What it gives cannot be told from the value. */
  readonly isOpen?: true
  /** As it is written, where more than the value is asked for. */
  readonly part?: ParameterExpansionPart
}

/** A variable as it is. `$_` is the last word of the command before. */
export function parameter(name: string): Expansion {
  const known = /^(?:[1-9]\d*|[@*])$/.test(name) ? "@" : name
  return { name: known, given: [], ...listOf(name), ...(name === "_" && { isOpen: true }) }
}

function listOf(index: string): Pick<Expansion, "list" | "isOptional"> {
  if (index !== "@" && index !== "*") return {}
  return { list: index === "@" ? "words" : "joined", isOptional: true }
}

export function expansionOf(part: ParameterExpansionPart): Expansion {
  const { parameter: name, prefix, operation, index } = part
  const list = index ? { isOptional: true as const, ...listOf(index.text) } : {}
  const plain = { ...parameter(name), ...list, ...((prefix || operation) && { part }) }
  if (prefix === "!" && operation?.type !== "Names") return { ...plain, isOpen: true }
  switch (operation?.type) {
    case "Default":
      return { ...plain, given: operation.operator.endsWith("?") ? [] : [wordArgument(operation.operand)] }
    case "Remove":
      if (!operation.operator.startsWith("#")) return plain
      return { ...plain, cut: operation.operand.text.endsWith("/") ? "directories" : "anything" }
    case "Replace":
      return { ...plain, given: [wordArgument(operation.replacement)], cut: "anything" }
    case "Slice":
      return operation.offset.text.trim() === "0" ? plain : { ...plain, cut: "anything" }
    case "Transform":
      return /^[QULu]$/.test(operation.operand.text) ? plain : { ...plain, isOpen: true }
    default:
      return plain
  }
}
