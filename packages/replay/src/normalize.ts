import { shapeOf } from "./shape.ts"

export interface NormalizeOptions {
  /** Absolute paths of the recording and of this replay, each with its replacement. */
  readonly places: readonly (readonly [path: string | undefined, name: string])[]
  /** Returns the name in the recording for the id of a session. */
  readonly nameOf: (sessionID: string) => string | undefined
  /** True if the recording has only the shape of texts. */
  readonly isShape: boolean
}

const SESSION = /ses_[0-9A-Za-z]{1,64}/g
const ENVIRONMENT = /^(Git repository|Platform|Date at the start of the session): .*$/gm

/** Matches the list of available tools after a call of an unknown tool. Exports do not contain it. */
const OFFERED = /(?<=^(?:error: )?There is no tool "[^"\n]{0,100}"\. Available: ).*$/gm

/** Returns a function that removes everything from a text that differs between machines or days. */
export function createNormalize({ places, nameOf, isShape }: NormalizeOptions): (text: string) => string {
  const known = places
    .filter((place): place is readonly [string, string] => place[0] !== undefined && place[0].length > 1)
    .toSorted(([a], [b]) => b.length - a.length)
  return (text) => {
    const placed = known.reduce((result, [path, name]) => result.replaceAll(path, name), text)
    const named = placed
      .replaceAll(SESSION, (id) => nameOf(id) ?? id)
      .replaceAll(ENVIRONMENT, (_line, field: string) => `${field}: …`)
      .replaceAll(OFFERED, "…")
    return isShape ? shapeOf(named) : named
  }
}
