/**
 * The variable that names the calls and processes which a process belongs to, the outermost first, separated by `:`.
 * Children inherit it, so that what a program starts in the name of a call is found with the call.
 */
export const MARK = "PAWL_CALL"

/** Of more, those in the middle are left out: the outermost end everything, the innermost are this process's own. */
export const MAX_MARKS = 32

/** A mark stands between others, and in a line of words. */
const FORM = /^[\w.-]{1,256}$/

export type Variables = Readonly<Record<string, string | undefined>>

/** Returns the marks that a value of the variable holds. Ignores what has not the form of a mark. */
export function marksIn(value: string | undefined): readonly string[] {
  if (!value) return []
  return [...new Set(value.split(":"))].filter((mark) => FORM.test(mark))
}

/** Returns the variable for what belongs to `token` besides everything that the environment belongs to. */
export function markFor(token: string, environment: Variables): Record<string, string> {
  const outer = marksIn(environment[MARK]).filter((mark) => mark !== token)
  const marks = [...outer, token]
  const kept = marks.length <= MAX_MARKS ? marks : [...marks.slice(0, MAX_MARKS / 2), ...marks.slice(-MAX_MARKS / 2)]
  return { [MARK]: kept.join(":") }
}
