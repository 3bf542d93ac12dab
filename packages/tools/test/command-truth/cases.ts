import { ALONE } from "./alone.ts"
import { type Naming, NAMINGS } from "./namings.ts"
import { type Use, USES } from "./uses.ts"

export interface TruthCase {
  readonly program: string
  /** The class that it is an example of. */
  readonly what: string
  readonly command: string
}

/** Each use by a literal name, and all that is not made of a use and a name. */
export function plainCases(root: string): TruthCase[] {
  const [literal] = NAMINGS
  return [
    ...(literal ? USES.map((use) => toCase(use, literal, root)) : []),
    ...ALONE.map((command) => ({ program: /^\w+/.exec(command)?.[0] ?? "", what: "by itself", command })),
  ]
}

/** Each use by each other name. */
export function crossedCases(root: string): TruthCase[] {
  const [, ...others] = NAMINGS
  return USES.flatMap((use) => others.filter((naming) => fits(use, naming)).map((naming) => toCase(use, naming, root)))
}

/** Several commands are no words of `xargs`, and quotes end those of a script. */
function fits({ line }: Use, { name }: Naming): boolean {
  return !/[;|']/.test(line) || !/xargs|exec|bash -c|environment/.test(name)
}

function toCase({ line, path, program }: Use, naming: Naming, root: string): TruthCase {
  const use = (word: string) => line.replaceAll(/\bF\b/g, () => word)
  return { program, what: `${line} by ${naming.name}`, command: naming.wrap(path, use, root) }
}
