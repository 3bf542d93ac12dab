import { z } from "zod"

// Errors complete a sentence that begins with the key: `tool_output.max_lines must be a whole number above 0, got 0.`

export const text = z.string({ error: "must be a string" })
export const flag = z.boolean({ error: "must be true or false" })
export const modelRef = text.refine((value) => /^[^/\s]+\/\S+$/.test(value), { error: 'must be "provider/model"' })
export const count = wholeNumber("a whole number above 0", 1)
export const tokens = wholeNumber("a whole number of tokens, 0 or more", 0)
export const milliseconds = wholeNumber("a whole number of milliseconds, 0 or more", 0)

/** A string that matches a pattern; `expected` completes "must be". */
export function form(pattern: RegExp, expected: string) {
  return text.regex(pattern, { error: `must be ${expected}` })
}

export function oneOf<const Choices extends readonly string[]>(choices: Choices) {
  const named = choices.map((choice) => JSON.stringify(choice))
  return z.enum(choices, { error: `must be ${named.join(", ").replace(/, (?=[^,]*$)/, " or ")}` })
}

/**
 * An object whose order matters. JavaScript moves keys that are whole numbers to the front, so the order in the file
 * would be lost.
 */
export function ordered<Value extends z.core.SomeType>(value: Value) {
  const error = ({ input }: { input?: unknown }) =>
    `would lose its place among the rules, of which the last one counts: keys that are whole numbers come first. Write it with a wildcard, such as "${String(input)}*"`
  return z.record(z.string().regex(/^(?!(?:0|[1-9]\d{0,9})$)/, { error }), value, { error: "must be an object" })
}

export function object<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, { error: "must be an object" })
}

export function table<Value extends z.core.SomeType>(value: Value) {
  return z.record(z.string(), value, { error: "must be an object" })
}

export function list<Item extends z.core.SomeType>(item: Item) {
  return z.array(item, { error: "must be an array" })
}

export function number(expected: string, min: number, max?: number) {
  const error = `must be ${expected}`
  const atLeast = z.number({ error }).min(min, { error })
  return max === undefined ? atLeast : atLeast.max(max, { error })
}

export function wholeNumber(expected: string, min: number) {
  const error = `must be ${expected}`
  return z.int({ error }).min(min, { error })
}
