import { isObject, show } from "../../json-object.ts"
import { firstProblem, isAbsent, isFilled, type Problem } from "../problem.ts"
import { validateItem, type Item } from "./validate-item.ts"
import { validateItemPairing } from "./validate-item-pairing.ts"
import { validateItemReasoning } from "./validate-item-reasoning.ts"

/** The first problem in `input`: a malformed item, or items that do not come with what belongs to them. */
export function validateInput(body: Readonly<Record<string, unknown>>): Problem {
  const { input } = body
  // What stands in a conversation of the server's cannot be seen from here.
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
