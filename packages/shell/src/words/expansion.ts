import type { ParameterExpansionPart } from "unbash"
import { type Argument, wordArgument } from "./argument.ts"

/** A variable in a word, with the operation on its value. */
export interface Expansion {
  /** Name of the variable; `@` for any of the positional parameters. */
  readonly name: string
  /** Words that may replace the value or a part of it. */
  readonly given: readonly Argument[]
  /** The part that may be removed from the beginning of the value: directories, or anything. */
  readonly cut?: "directories" | "anything"
  /** Set if all values of a list are used: `words` are always separate, `joined` only without quotes. */
  readonly list?: "words" | "joined"
  /** Set if the result may be empty although the variable has a value, as with a part of a list. */
  readonly isOptional?: true
  /** Set if the result cannot be determined from the value. */
  readonly isOpen?: true
  /** The syntax node, for operations on the value. */
  readonly part?: ParameterExpansionPart
}

/** A variable without an operation. `$_` is the last word of the previous command. */
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
