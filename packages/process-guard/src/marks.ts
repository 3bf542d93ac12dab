/**
 * Environment variable with the calls and processes that a process belongs to, outermost first, separated by `:`.
 * Children inherit it, so a call's processes are found by the call.
 */
export const MARK = "PAWL_CALL"

/**
 * If there are more marks, the middle ones are dropped. The outermost end everything, and the innermost belong to this
 * process.
 */
export const MAX_MARKS = 32

/** A mark is a part of a list and of a command line. */
const FORM = /^[\w.-]{1,256}$/

export type Variables = Readonly<Record<string, string | undefined>>

/** Parses the variable. Ignores invalid marks. */
export function marksIn(value: string | undefined): readonly string[] {
  if (!value) return []
  return [...new Set(value.split(":"))].filter((mark) => FORM.test(mark))
}

/** Returns the variable for processes that belong to `token` and to everything in `environment`. */
export function markFor(token: string, environment: Variables): Record<string, string> {
  const outer = marksIn(environment[MARK]).filter((mark) => mark !== token)
  const marks = [...outer, token]
  const kept = marks.length <= MAX_MARKS ? marks : [...marks.slice(0, MAX_MARKS / 2), ...marks.slice(-MAX_MARKS / 2)]
  return { [MARK]: kept.join(":") }
}
