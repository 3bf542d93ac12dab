import type { Finding } from "../finding.ts"
import { type KeyPath, withoutPaths } from "../key-path.ts"
import { validate, type ValidateContext } from "../validate.ts"

export interface LenientlyValidated {
  /** Without what is not known. */
  readonly value: unknown
  readonly findings: Finding[]
  /** The keys that are not known. */
  readonly unknown: readonly KeyPath[]
}

/** Of keys that were taken away others may come to light; there is no end to what somebody can nest. */
const ROUNDS = 10

/** As `validate`, but what is not known is taken away. */
export function validateLeniently(given: unknown, context: ValidateContext): LenientlyValidated {
  let value = given
  const unknown: KeyPath[] = []
  for (let round = 1; ; round++) {
    const findings = validate(value, context)
    const paths = findings.flatMap(({ path, isUnknownKey }) => (isUnknownKey && path ? [path] : []))
    if (paths.length === 0 || round === ROUNDS) return { value, findings, unknown }
    unknown.push(...paths)
    value = withoutPaths(value, paths)
  }
}
