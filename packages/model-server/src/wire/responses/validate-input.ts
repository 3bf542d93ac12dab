import { isObject, show } from "../../json-object.ts"
import { firstProblem, isAbsent, isFilled, type Problem } from "../problem.ts"
import { validateItem, type Item } from "./validate-item.ts"
import { validateItemPairing } from "./validate-item-pairing.ts"
import { validateItemReasoning } from "./validate-item-reasoning.ts"

/** Returns the first problem in `input`: a malformed item, or an item without another one that it requires. */
export function validateInput(body: Readonly<Record<string, unknown>>): Problem {
  const { input } = body
  // The items of a conversation that the server stores are unknown here.
  const isContinued = !isAbsent(body.previous_response_id) || !isAbsent(body.conversation) || !isAbsent(body.prompt)
  if (isAbsent(input) && isContinued) return undefined
  if (typeof input === "string") return isFilled(input) ? undefined : "input: must not be empty."
  if (!Array.isArray(input)) return `input: must be a string or an array of items, got ${show(input)}.`
  if (input.length === 0) return isContinued ? undefined : "input: must have at least one item."
  const isStored = body.store !== false
  return (
    firstProblem(input, (item: unknown, index) =>
      isObject(item) ? validateItem(item, isStored, `input[${index}]`) : `input[${index}]: must be an object.`,
    ) ?? (isContinued ? undefined : validateTogether(input as Item[]))
  )
}

function validateTogether(items: readonly Item[]): Problem {
  return validateItemPairing(items) ?? validateItemReasoning(items)
}
