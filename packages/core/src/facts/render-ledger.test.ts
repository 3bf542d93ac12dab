import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { emptyLedger, type Ledger, type ModifiedFile } from "./ledger.ts"
import { renderLedger } from "./render-ledger.ts"

const ledger: Ledger = {
  modified: [
    { path: "/repo/src/a.ts", readHash: "aa", hash: "sha256:0123456789abcdef" },
    { path: "/repo/old.ts", gone: {} },
    { path: "/repo/b.ts", gone: { movedTo: "/repo/src/b.ts" } },
    { path: "/etc/hosts" },
  ],
  read: [{ path: "/repo/first.ts" }, { path: "/repo/second.ts", readHash: "bb" }],
  commands: [
    { command: "npm test", exit: 1, runs: 3 },
    { command: "sleep 9", directory: "/repo/web" },
  ],
  failing: [
    { command: "npm test", tests: ["adds", "subtracts"] },
    { command: "npm run all", tests: ["adds"] },
    { command: "make check", directory: "/repo/web", tests: [] },
  ],
  decisions: ["Use tabs.", "Keep the API."],
}

it("shows nothing of an empty ledger", () => {
  expect(renderLedger(emptyLedger)).toBeUndefined()
})

it("shows everything, with paths relative to the directory", () => {
  expect(renderLedger(ledger, { directory: "/repo" })).toBe(
    `Files modified:
- src/a.ts (content 0123456789ab)
- old.ts (deleted)
- b.ts (moved to src/b.ts)
- /etc/hosts
Tests that failed when last run:
- some, not named by the output (make check in web)
- adds (npm run all)
- subtracts (npm test)
Decisions, newest first:
- Keep the API.
- Use tabs.
Commands run, newest first:
- sleep 9 in web -> did not end
- npm test -> exit 1 (run 3 times)
Files read, newest first:
- second.ts
- first.ts`,
  )
})

it("shows paths whole where no directory is given", () => {
  expect(renderLedger(ledger)).toContain("- /repo/src/a.ts (content 0123456789ab)")
})

it("is not fooled by a directory whose name begins alike, nor by one that begins with dots", () => {
  const modified = [{ path: "/repository/a" }, { path: "/repo/..a/b" }, { path: "/repo" }]
  expect(renderLedger({ ...emptyLedger, modified }, { directory: "/repo" })).toBe(
    "Files modified:\n- /repository/a\n- ..a/b\n- /repo",
  )
})

it("tells of thousands of files by directory", () => {
  const modified = Array.from({ length: 5000 }, (_, n) => ({
    path: `/repo/packages/p${n % 50}/src/file-${n}.ts`,
    hash: "a",
  }))
  const text = renderLedger({ ...emptyLedger, modified }, { directory: "/repo" }) ?? ""
  expect(text.split("\n")).toHaveLength(51)
  expect(text).toMatch(/^Files modified \(5000\):\n- packages\/p0\/src\/: file-0\.ts, file-50\.ts, /)
  expect(text.length).toBeLessThan(modified.map(({ path }) => path).join("\n").length / 2)
})

it("lets no name forge a line or a name beside it", () => {
  const odd = ["a\nb", "a, b", "a\u2028b", " a", "a (deleted)", 'say "x"', "plain name.ts"]
  const modified = odd.map((name) => ({ path: `/repo/${name}` }))
  expect(
    renderLedger({ ...emptyLedger, modified }, { directory: "/repo" })
      ?.split("\n")
      .slice(1),
  ).toEqual([
    '- "a\\nb"',
    '- "a, b"',
    '- "a\\u2028b"',
    '- " a"',
    '- "a (deleted)"',
    '- "say \\"x\\""',
    "- plain name.ts",
  ])
  const failing = [{ command: "x", tests: ["one\n- Decisions: none"] }]
  expect(renderLedger({ ...emptyLedger, failing })).toBe(
    "Tests that failed when last run:\n- one - Decisions: none (x)",
  )
})

describe("within a budget", () => {
  const tokensOf = (text: string) => text.length
  const full = renderLedger(ledger, { tokensOf, budget: 100_000 }) ?? ""

  it("leaves out what matters least, and says how much", () => {
    const lines = (renderLedger(ledger, { tokensOf, budget: full.length - 10 }) ?? "").split("\n")
    expect(lines.slice(-2)).toEqual(["Files read, newest first (1 more not shown):", "- /repo/second.ts"])
    const less = renderLedger(ledger, { tokensOf, budget: full.length - 80 })
    expect(less).toContain("Commands run")
    expect(less).not.toContain("Files read")
  })

  it("always keeps the modified paths", () => {
    expect(renderLedger(ledger, { tokensOf, budget: 0 })).toBe(full.slice(0, full.indexOf("\nTests that")))
  })

  it("shows failing tests behind any number of modified paths, before what else there is", () => {
    const modified = Array.from({ length: 5000 }, (_, n) => ({ path: `/repo/p${n}/file.ts` }))
    const failing = Array.from({ length: 40 }, (_, n) => ({ command: `npm test ${n}`, tests: [`test ${n}`] }))
    const text = renderLedger({ ...ledger, modified, failing }) ?? ""
    for (const { command, tests } of failing) expect(text).toContain(`- ${tests[0]} (${command})`)
    expect(text).toContain("- /repo/p4999/: file.ts")
    expect(renderLedger({ ...ledger, modified, failing }, { tokensOf, budget: 200 })).toMatch(
      /\(38 more not shown\):\n- test 39 \(npm test 39\)\n- .*38\)$/,
    )
  })

  it("takes no more, but for the notes of what is left out", () => {
    fc.assert(
      fc.property(fc.nat(full.length), (budget) => {
        const text = renderLedger({ ...ledger, modified: [] }, { tokensOf, budget }) ?? ""
        expect(text.replaceAll(/ \(\d+ more not shown\)/g, "").length).toBeLessThanOrEqual(budget)
      }),
    )
  })
})

describe("whatever the modified files", () => {
  const segment = fc.oneof(
    fc.constantFrom("src", "a", "__proto__", "1"),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }),
  )
  const path = fc
    .array(
      segment.map((text) => text.replaceAll("/", "_")).filter((text) => text !== "." && text !== ".."),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((segments) => `/repo/${segments.join("/")}`)

  it("each path can be read back, alone or by directory", () => {
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 60 }), (paths) => {
        const modified: ModifiedFile[] = paths.map((each) => ({ path: each }))
        const text = renderLedger({ ...emptyLedger, modified }, { budget: 0 }) ?? ""
        const isGrouped = text.startsWith("Files modified (")
        const lines = text
          .split("\n")
          .slice(1)
          .map((line) => line.slice(2))
        const found = isGrouped ? lines.flatMap((line) => pathsIn(line)) : lines.map((line) => unquoted(line))
        expect(found.toSorted()).toEqual(paths.toSorted())
      }),
      { numRuns: 300 },
    )
  })
})

/** The paths in `src/: a.ts, "b, c.ts"`. */
function pathsIn(line: string): string[] {
  const [, place = "", names = ""] = /^("(?:[^"\\]|\\.)*"|[^":]*): (.*)$/u.exec(line) ?? []
  const found = names.match(/"(?:[^"\\]|\\.)*"|[^",]+?(?=, |$)/gu) ?? []
  return found.map((name) => unquoted(place) + unquoted(name.replace(/^, /, "")).replace(/^ (?=\S)/, ""))
}

function unquoted(name: string): string {
  return name.startsWith('"') ? (JSON.parse(name) as string) : name
}
