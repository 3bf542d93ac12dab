import { dirname } from "node:path"
import type { PermissionNeed } from "@pawl/core/tool"
import { expect, it, onTestFinished } from "vitest"
import { crossedCases, plainCases, type TruthCase } from "../../test/command-truth/cases.ts"
import { isInstalled } from "../../test/command-truth/installed.ts"
import { createWorld, type Effects, type World } from "../../test/command-truth/world.ts"
import { rounds } from "../../test/rounds.ts"
import { isWithin } from "../paths.ts"
import { createToolPaths } from "../tool-paths.ts"
import { commandNeeds } from "./command-needs.ts"

const seed = Number(process.env["TEST_TRUTH_SEED"] ?? 1)
const count = Number(process.env["TEST_TRUTH_ROUNDS"] ?? rounds(1000))

it.each([
  { what: "all that is named literally, or in lists, scripts, options and links", choose: plainCases },
  { what: "some of all programs in all ways of naming", choose: (root: string) => some(crossedCases(root)) },
])(
  "asks for what a command really does outside of the project, or says that it is not clear: $what",
  async ({ choose }) => {
    const world = await createWorld()
    onTestFinished(() => world.remove())
    const all = choose(world.root)
    const cases = all.filter(({ program }) => isInstalled(program))
    const missing = new Set(all.filter((each) => !cases.includes(each)).map(({ program }) => program))
    if (missing.size > 0) console.warn(`Not installed, so not tried: ${[...missing].join(", ")}`)
    const found: (TruthCase & { readonly files: readonly string[] })[] = []
    let [harmful, doubted] = [0, 0]
    for (const each of cases) {
      const needs = await needsOf(each.command, world)
      const effects = await world.run(each.command)
      if (effects.written.length + effects.read.length > 0) harmful++
      const files = missed(effects, needs, world)
      if (files.length > 0) found.push({ ...each, files })
      if (untold(effects, needs, world).length > 0) doubted++
    }
    expect(found).toEqual([])
    // Else the truth would be one about commands that do nothing, or about a judge that sees through all of them.
    expect(doubted).toBeGreaterThan(cases.length * 0.05)
    expect(harmful).toBeGreaterThan(cases.length * 0.8)
  },
  600_000 + count * 1000,
)

/** As many as there is time for, others for each seed. */
function some(cases: readonly TruthCase[]): TruthCase[] {
  const step = Math.max(1, Math.floor(cases.length / count))
  return cases.filter((_, index) => (index * 7919 + seed) % step === 0)
}

async function needsOf(command: string, { project, home }: World): Promise<readonly PermissionNeed[]> {
  return commandNeeds(command, { directory: project, worktree: project, cwd: project, home, paths: createToolPaths() })
}

/** The files that it touched and that nobody would have been asked about. */
function missed(effects: Effects, needs: readonly PermissionNeed[], world: World): string[] {
  return needs.some(({ unclear }) => unclear !== undefined) ? [] : untold(effects, needs, world)
}

/** Those that are not named. */
function untold(effects: Effects, needs: readonly PermissionNeed[], { project }: World): string[] {
  const patterns = needs
    .filter(({ permission }) => permission === "external_directory")
    .flatMap((need) => need.patterns)
  const isGuarded = needs.some(({ permission }) => permission === "protected_file")
  return [...effects.written, ...effects.read].filter((file) =>
    isWithin(project, file) ? !isGuarded : !patterns.some((pattern) => isWithin(dirname(pattern), file)),
  )
}
