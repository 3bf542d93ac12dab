import { isObject, show } from "../json-object.ts"

/** A problem of a request, as a sentence that begins with the place; undefined without one. */
export type Problem = string | undefined

/** The first problem among the elements, in order. */
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

/** For APIs that refuse keys they do not know. `place` is empty for the body itself. */
export function unknownKey(object: object, known: ReadonlySet<string>, place: string): Problem {
  const key = Object.keys(object).find((each) => !known.has(each))
  if (key === undefined) return undefined
  return `${place === "" ? key : `${place}.${key}`}: this key is not known here. Known: ${[...known].join(", ")}.`
}

/** Is this key as good as absent? */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

/** Is this a string with something in it? */
export function isFilled(value: unknown): value is string {
  return typeof value === "string" && value !== ""
}

/** Checks that this is a JSON Schema for the arguments of a function: an object of type `object`. */
export function validateParameters(schema: unknown, place: string): Problem {
  if (isObject(schema) && schema.type === "object") return undefined
  return `${place}: must be a JSON Schema of type "object", got ${show(schema)}.`
}
