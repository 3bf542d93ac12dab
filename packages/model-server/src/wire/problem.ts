import { isObject, show } from "../json-object.ts"

/** A problem of a request, as a sentence that begins with the path of the value. Undefined if there is no problem. */
export type Problem = string | undefined

/** Returns the first problem of the elements, in order. */
export function firstProblem<Element>(
  elements: Iterable<Element>,
  check: (element: Element, index: number) => Problem,
): Problem {
  let index = 0
  for (const element of elements) {
    const problem = check(element, index++)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Returns the first unknown key as a problem. `place` is empty for the body itself. */
export function unknownKey(object: object, known: ReadonlySet<string>, place: string): Problem {
  const key = Object.keys(object).find((each) => !known.has(each))
  if (key === undefined) return undefined
  return `${place === "" ? key : `${place}.${key}`}: this key is not known here. Known: ${[...known].join(", ")}.`
}

/** Returns true for null and undefined, which these APIs treat alike. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

/** Returns true for a string that is not empty. */
export function isFilled(value: unknown): value is string {
  return typeof value === "string" && value !== ""
}

/** Checks that a value is a JSON Schema for the arguments of a function: an object of type `object`. */
export function validateParameters(schema: unknown, place: string): Problem {
  if (isObject(schema) && schema.type === "object") return undefined
  return `${place}: must be a JSON Schema of type "object", got ${show(schema)}.`
}
