import { describe, it } from "vitest"
import { type ProviderUnderTest, runSpec } from "./run-spec.ts"
import { providerSections } from "./sections.ts"
import { type Skip, skipLines } from "./skip-lines.ts"

/** Registers the contract's tests for one provider with vitest. Prints what is skipped, and why. */
export function testProvider(name: string, subject: ProviderUnderTest): void {
  const { skip = [], lacks = {} } = subject
  for (const { spec, reason } of skip) requireSkip(spec, reason)
  const suite = `provider contract: ${name}`
  const lacking = providerSections.flatMap(({ title, needs }): Skip[] => {
    const reason = needs && lacks[needs]
    return reason === undefined || skip.some(({ spec }) => spec === title) ? [] : [{ spec: title, reason }]
  })
  for (const line of skipLines(suite, [...skip, ...lacking])) console.info(line)
  const reasonOf = (title: string) => skip.find(({ spec }) => spec === title)?.reason

  describe(suite, () => {
    for (const section of providerSections) {
      const whole = reasonOf(section.title) ?? (section.needs && lacks[section.needs])
      describe(section.title, () => {
        for (const spec of section.specs) {
          const reason = reasonOf(spec.name) ?? whole
          if (reason === undefined) it(spec.name, () => runSpec(spec, subject))
          else it.skip(`${spec.name} (skipped: ${reason})`)
        }
      })
    }
  })
}

function requireSkip(name: string, reason: string): void {
  const isKnown = providerSections.some(
    ({ title, specs }) => title === name || specs.some((spec) => spec.name === name),
  )
  if (!isKnown) throw new Error(`"${name}" is to be skipped, but no spec or section has that name.`)
  if (reason.trim() === "") throw new Error(`"${name}" is to be skipped without a reason. Give one.`)
}
