import type { Finding } from "../finding.ts"
import { type KeyPath, withoutPaths } from "../key-path.ts"
import { validate, type ValidateContext } from "../validate.ts"

export interface LenientlyValidated {
  /** Without the unknown keys. */
  readonly value: unknown
  readonly findings: Finding[]
  /** Paths of the unknown keys. */
  readonly unknown: readonly KeyPath[]
}

/** Removing keys may reveal further problems. Limits the repetitions for deeply nested values. */
const MAX_ROUNDS = 10

/** Like `validate`, but removes unknown keys. */
export function validateLeniently(given: unknown, context: ValidateContext): LenientlyValidated {
  let value = given
  const unknown: KeyPath[] = []
  for (let round = 1; ; round++) {
    const findings = validate(value, context)
    const paths = findings.flatMap(({ path, isUnknownKey }) => (isUnknownKey && path ? [path] : []))
    if (paths.length === 0 || round === MAX_ROUNDS) return { value, findings, unknown }
    unknown.push(...paths)
    value = withoutPaths(value, paths)
  }
}
