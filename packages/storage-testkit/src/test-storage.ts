import { describe, it } from "vitest"
import { type Capabilities, runSpec, type StorageUnderTest } from "./run-spec.ts"
import type { Need } from "./section.ts"
import { storageSections } from "./sections.ts"
import { type Skip, skipLines } from "./skip-lines.ts"

/** Registers the contract's tests for one storage with vitest. Prints what is skipped, with the reason. */
export function testStorage(name: string, { open, skip = [], ...capabilities }: StorageUnderTest): void {
  for (const { spec, reason } of skip) requireSkip(spec, reason)
  const suite = `storage contract: ${name}`
  const lacking = storageSections.flatMap(({ title, needs }): Skip[] => {
    const reason = needs && lackOf(needs, capabilities)
    return reason === undefined || skip.some(({ spec }) => spec === title) ? [] : [{ spec: title, reason }]
  })
  for (const line of skipLines(suite, [...skip, ...lacking])) console.info(line)
  const reasonOf = (title: string) => skip.find(({ spec }) => spec === title)?.reason

  describe(suite, () => {
    for (const section of storageSections) {
      const whole = reasonOf(section.title) ?? (section.needs && lackOf(section.needs, capabilities))
      describe(section.title, () => {
        for (const spec of section.specs) {
          const reason = reasonOf(spec.name) ?? whole
          if (reason === undefined) it(spec.name, () => runSpec(spec, open, capabilities))
          else it.skip(`${spec.name} (skipped: ${reason})`)
        }
      })
    }
  })
}

/** Returns the reason for skipping a section; undefined if the storage has what it needs. */
function lackOf(
  need: Need,
  { persistent = true, countReads, damage, fixtures = [] }: Capabilities,
): string | undefined {
  switch (need) {
    case "location":
      return persistent ? undefined : "it keeps nothing at a location"
    case "counted reads":
      return countReads ? undefined : "it does not count its reads"
    case "damage":
      return damage ? undefined : "it has no damage capability"
    case "fixtures":
      return fixtures.length > 0 ? undefined : "there is nothing that an earlier version wrote"
  }
}

function requireSkip(name: string, reason: string): void {
  const isKnown = storageSections.some(({ title, specs }) => title === name || specs.some((spec) => spec.name === name))
  if (!isKnown) throw new Error(`"${name}" is to be skipped, but no spec or section has that name.`)
  if (reason.trim() === "") throw new Error(`"${name}" is to be skipped without a reason. Give one.`)
}
