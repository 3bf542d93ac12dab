import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { FileHistory } from "@pawl/core/host"
import { array, assert, asyncProperty, constant, constantFrom, oneof, record, type Arbitrary } from "fast-check"
import { expect, it } from "vitest"
import { commitAll, testDirectory, treeOf } from "../test/project.ts"
import { bash, scene, type SceneOptions, turn } from "../test/scene.ts"

// A user, two sessions and their undos in one directory, in any order. Whatever is in a file when an undo begins and is not
// the session's own work is there afterwards. `PAWL_UNDO_RUNS` sets the number of runs.

const RUNS = Number(process.env["PAWL_UNDO_RUNS"] ?? 15)
const FILES = ["a.txt", "b.txt", "new.txt"] as const

type Step =
  | { readonly by: "first" | "second"; readonly kind: "write" | "append" | "remove" | "unnamed"; readonly file: string }
  | { readonly by: "user"; readonly kind: "append" | "prepend" | "create" | "remove"; readonly file: string }
  | { readonly by: "first" | "second"; readonly kind: "undo" | "redo" }

const file = constantFrom(...FILES)
const step: Arbitrary<Step> = oneof(
  {
    weight: 4,
    arbitrary: record({
      by: constantFrom("first" as const, "second" as const),
      kind: constantFrom("write" as const, "append" as const, "remove" as const, "unnamed" as const),
      file,
    }),
  },
  {
    weight: 3,
    arbitrary: record({
      by: constant("user" as const),
      kind: constantFrom("append" as const, "prepend" as const, "create" as const, "remove" as const),
      file,
    }),
  },
  {
    weight: 4,
    arbitrary: record({
      by: constantFrom("first" as const, "second" as const),
      kind: constantFrom("undo" as const, "redo" as const),
    }),
  },
)

/** Returns the marks that files contain. Each mark is written once, by one author. */
async function marksIn(directory: string): Promise<ReadonlySet<string>> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".txt"))
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), "utf8")))
  return new Set(texts.flatMap((text) => text.match(/\b(?:user|first|second)-\d+\b/g) ?? []))
}

async function userStep(directory: string, { kind, file: name }: Extract<Step, { by: "user" }>, mark: string) {
  const path = join(directory, name)
  if (kind === "remove") await rm(path, { force: true })
  else if (kind === "prepend") {
    const text = await readFile(path, "utf8").catch(() => "")
    await writeFile(path, `${mark}\n${text}`)
  } else if (kind === "append") await appendFile(path, `${mark}\n`)
  else await writeFile(path, `${mark}\n`)
}

function command(kind: string, name: string, mark: string): string {
  if (kind === "write") return `printf '%s\\n' start ${mark} > ${name}`
  if (kind === "append") return `echo ${mark} >> ${name}`
  if (kind === "remove") return `rm -f ${name}`
  return `python3 -c "open('${name}','a').write('${mark}\\n')"`
}

function noneIsLost(options: SceneOptions = {}) {
  return asyncProperty(array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
    const directory = await testDirectory({ "a.txt": "1\n2\n3\n4\n5\n", "b.txt": "b\n" })
    commitAll(directory)
    const before = await treeOf(directory)
    const marked = steps.map((each, index) => ({ ...each, mark: `${each.by}-${index}` }))
    const turnsOf = (by: "first" | "second") =>
      marked.flatMap((each) =>
        each.by === by && "file" in each ? turn(bash(command(each.kind, each.file, each.mark))) : [],
      )
    const sessions = {
      first: await scene(directory, turnsOf("first"), options),
      second: await scene(directory, turnsOf("second"), options),
    }
    const since = { first: new Set<string>(), second: new Set<string>() }
    for (const each of marked) {
      if (each.by === "user") {
        await userStep(directory, each, each.mark)
      } else if ("file" in each) {
        await sessions[each.by].prompt(each.mark)
        since[each.by].clear()
      } else {
        const present = await marksIn(directory)
        const { engine, session } = sessions[each.by]
        const undoing =
          each.kind === "undo"
            ? engine.revert({ sessionID: session.id })
            : engine.unrevert({ sessionID: session.id, last: true })
        const report = await undoing.catch((error: Error) => error)
        if (report instanceof Error) {
          expect(report.name).toBe("NotFoundError")
          continue
        }
        const now = await marksIn(directory)
        const lost = [...present].filter((mark) => !now.has(mark) && !mark.startsWith(`${each.by}-`))
        // A redo may remove again what the session had removed: everything that is newer than the undo stays.
        const isExpected = (mark: string) => each.kind === "redo" && !since[each.by].has(mark)
        expect(lost.filter((mark) => !isExpected(mark))).toEqual([])
        if (each.kind === "undo" && report.session.undo?.length === 1) since[each.by] = new Set()
      }
      if (each.by === "user" || "file" in each) {
        since.first.add(each.mark)
        since.second.add(each.mark)
      }
    }
    const onlyFirst = marked.every(({ by }) => by === "first") && marked.every((each) => "file" in each)
    if (onlyFirst) {
      const { engine, session } = sessions.first
      for (const _ of marked) await engine.revert({ sessionID: session.id })
      expect(await treeOf(directory)).toEqual(before)
    }
  })
}

it("no undo and no redo removes the work of a user or of another session", async () => {
  await assert(noneIsLost(), { numRuns: RUNS, seed: 1 })
})

it("an undo that does not compare contents is noticed", async () => {
  const careless = (history: FileHistory): FileHistory => ({
    ...history,
    async plan(changes, blobs) {
      const files = await history.plan(changes, blobs)
      return files.map((file) => {
        return file.outcome === "conflict" && file.wanted !== undefined
          ? { ...file, left: file.wanted, outcome: "restored" }
          : file
      })
    },
  })
  await expect(assert(noneIsLost({ wrap: careless }), { numRuns: 60, seed: 1, endOnFailure: true })).rejects.toThrow(
    "Property failed",
  )
})
