import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it, onTestFinished } from "vitest"

const script = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "scripts", "check-imports.mjs")

/** Sources by their paths in a workspace. A package's manifest is made from its directory: `packages/a` is `@pawl/a`. */
type Sources = Readonly<Record<string, string>>

function workspace(sources: Sources): string {
  const directory = mkdtempSync(join(tmpdir(), "check-imports-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const [path, text] of Object.entries(sources)) {
    const [group = "", name = ""] = path.split("/")
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
    writeFileSync(join(directory, group, name, "package.json"), JSON.stringify({ name: `@pawl/${name}` }))
  }
  return directory
}

interface Outcome {
  readonly code: number
  readonly stdout: string
  /** The lines of stderr. */
  readonly problems: readonly string[]
}

async function check(sources: Sources): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const child = execFile(process.execPath, [script, workspace(sources)], (_error, stdout, stderr) => {
    resolve({ code: child.exitCode ?? -1, stdout, problems: stderr.split("\n").filter((line) => line !== "") })
  })
  return promise
}

const a = "packages/a/src"
const clean: Sources = {
  [`${a}/index.ts`]: 'export { one } from "./one/one.ts"\n',
  [`${a}/one/one.ts`]: 'import type { Two } from "../two/two.ts"\nexport const one: Two = 1\n',
  [`${a}/two/two.ts`]: "export type Two = number\n",
  "plugins/b/src/index.ts": 'import { one } from "@pawl/a"\nexport const b = one\n',
}

it("passes where imports point down, and prints how much it has checked", async () => {
  expect(await check(clean)).toEqual({ code: 0, stdout: "2 packages and 3 imports checked.\n", problems: [] })
})

describe("a circle of files", () => {
  const reason = "closes a circle of files. Move what both files need to a file below them."

  it.each([
    ["imports", 'import { one } from "./one.ts"'],
    ["types", 'import type { One } from "./one.ts"'],
    ["types over several lines", 'import type {\n  One,\n  Other,\n} from "./one.ts"'],
    ["imports at run time", 'export const one = () => import("./one.ts")'],
    ["imports for their effects", 'import "./one.ts"'],
    ["everything that a file exports", 'export * from "./one.ts"'],
    ["everything that a file exports, by one name", 'export * as one from "./one.ts"'],
  ])("of %s fails", async (_, text) => {
    const { code, problems } = await check({
      [`${a}/one.ts`]: 'import type { Two } from "./two.ts"\n',
      [`${a}/two.ts`]: `${text}\n`,
    })
    const line = text.split("\n").length
    expect(code).toBe(1)
    expect(problems).toEqual([
      `packages/a/src/one.ts:1: imports "./two.ts": ${reason}`,
      `packages/a/src/two.ts:${line}: imports "./one.ts": ${reason}`,
      "packages/a: imports that point the wrong way: 2",
    ])
  })

  it("of three files, one of them .tsx, fails and names each import", async () => {
    const { code, problems } = await check({
      [`${a}/one.ts`]: '\nimport { two } from "./two.tsx"\n',
      [`${a}/two.tsx`]: 'import { three } from "./three.ts"\n',
      [`${a}/three.ts`]: 'import type { One } from "./one.ts"\nimport { leaf } from "./leaf.ts"\n',
      [`${a}/leaf.ts`]: "export const leaf = 1\n",
    })
    expect(code).toBe(1)
    expect(problems.toSorted()).toEqual([
      `packages/a/src/one.ts:2: imports "./two.tsx": ${reason}`,
      `packages/a/src/three.ts:1: imports "./one.ts": ${reason}`,
      `packages/a/src/two.tsx:1: imports "./three.ts": ${reason}`,
      "packages/a: imports that point the wrong way: 3",
    ])
  })

  it("is not seen in comments", async () => {
    const { code, problems } = await check({
      [`${a}/one.ts`]: 'import { two } from "./two.ts"\n',
      [`${a}/two.ts`]: '// It isn\'t\n// import { one } from "./one.ts"\n/*\nimport { one } from "./one.ts"\n*/\n',
    })
    expect([code, problems]).toEqual([0, []])
  })

  it("is seen behind texts that look like comments, on its own line", async () => {
    const { problems } = await check({
      [`${a}/one.ts`]: 'import { two } from "./two.ts"\n',
      [`${a}/two.ts`]: '/*\n*/ const places = "a/*"\nimport { one } from "./one.ts" // */\n',
    })
    expect(problems).toContain(`packages/a/src/two.ts:3: imports "./one.ts": ${reason}`)
  })
})

it("leaves out tests, which may import whatever they need", async () => {
  const test = 'import { one } from "../one/one.ts"\n'
  const { code, problems } = await check({ ...clean, [`${a}/two/two.test.ts`]: test, [`${a}/two/more.test.tsx`]: test })
  expect([code, problems]).toEqual([0, []])
})

it("fails for a circle of folders that is none of files", async () => {
  const { code, problems } = await check({
    ...clean,
    [`${a}/two/more.ts`]: 'import type { More } from "../one/more.ts"\n',
    [`${a}/one/more.ts`]: "export type More = number\n",
  })
  const next = "Move what both folders need to a folder or a file below them."
  expect(code).toBe(1)
  expect(problems).toEqual([
    `packages/a/src/one/one.ts:1: imports "../two/two.ts": closes a circle of folders, from one to two. ${next}`,
    `packages/a/src/two/more.ts:1: imports "../one/more.ts": closes a circle of folders, from two to one. ${next}`,
    "packages/a: imports that point the wrong way: 2",
  ])
})

it("fails for a circle of folders that leads over files of src", async () => {
  const { code, problems } = await check({
    [`${a}/first.ts`]: 'import { second } from "./second.ts"\n',
    [`${a}/second.ts`]: 'import { leaf } from "./folder/leaf.ts"\n',
    [`${a}/folder/leaf.ts`]: "export const leaf = 1\n",
    [`${a}/folder/user.ts`]: 'import { first } from "../first.ts"\n',
  })
  expect(code).toBe(1)
  expect(problems).toEqual([
    expect.stringContaining('packages/a/src/second.ts:1: imports "./folder/leaf.ts": closes a circle of folders'),
    expect.stringContaining('packages/a/src/folder/user.ts:1: imports "../first.ts": closes a circle of folders'),
    "packages/a: imports that point the wrong way: 2",
  ])
})

it("fails for an import in core of a folder above, and of a folder that has no place", async () => {
  const core = "packages/core/src"
  const { code, problems } = await check({
    [`${core}/engine.ts`]: 'import { run } from "./run/run.ts"\n',
    [`${core}/run/run.ts`]: "export const run = 1\n",
    [`${core}/record/message.ts`]: 'import type { Run } from "../run/run.ts"\n',
    [`${core}/new/new.ts`]: 'import { run } from "../run/run.ts"\n',
  })
  const next = "Move what it needs to the importing folder or one below it."
  expect(code).toBe(1)
  expect(problems.toSorted()).toEqual([
    `packages/core/src/new/new.ts:1: imports "../run/run.ts": is not in a folder below. ${next}`,
    `packages/core/src/record/message.ts:1: imports "../run/run.ts": is not in a folder below. ${next}`,
    "packages/core: imports that point the wrong way: 2",
  ])
})

it("names in core only the import of a folder above, not each import of the circle that it closes", async () => {
  const core = "packages/core/src"
  const { problems } = await check({
    [`${core}/run/run.ts`]: 'import { message } from "../record/message.ts"\n',
    [`${core}/record/message.ts`]: 'import { id } from "../base/ids.ts"\n',
    [`${core}/base/ids.ts`]: 'import type { Run } from "../run/run.ts"\n',
  })
  expect(problems).toEqual([
    expect.stringContaining('packages/core/src/base/ids.ts:1: imports "../run/run.ts": is not in a folder below.'),
    "packages/core: imports that point the wrong way: 1",
  ])
})

it("fails for a relative import of another package", async () => {
  const { code, problems } = await check({
    ...clean,
    [`${a}/two/two.ts`]: 'export type { Two } from "../../../../plugins/b/src/index.ts"\n',
  })
  expect(code).toBe(1)
  expect(problems).toEqual([
    'packages/a/src/two/two.ts:1: imports "../../../../plugins/b/src/index.ts": leaves the package. Import it by the name of its package.',
    "packages/a: imports that point the wrong way: 1",
  ])
})

it("fails for a circle of packages", async () => {
  const { code, problems } = await check({
    ...clean,
    [`${a}/two/two.ts`]: '\nexport type { Two } from "@pawl/b/two"\n',
  })
  const next = "Move what both packages need to a package below them."
  expect(code).toBe(1)
  expect(problems).toEqual([
    `packages/a/src/two/two.ts:2: imports "@pawl/b/two": closes a circle of packages, from @pawl/a to @pawl/b. ${next}`,
    "packages/a: imports that point the wrong way: 1",
    `plugins/b/src/index.ts:1: imports "@pawl/a": closes a circle of packages, from @pawl/b to @pawl/a. ${next}`,
    "plugins/b: imports that point the wrong way: 1",
  ])
})

it("keeps the names of vendors out of core, but not out of its tests and other packages", async () => {
  const core = "packages/core/src"
  const { code, problems } = await check({
    [`${core}/base/ids.ts`]: 'export const ids = 1\n/** As with Claude. */\nexport const isOpenAI = "gpt-5"\n',
    [`${core}/base/ids.test.ts`]: 'const name = "gemini"\n',
    "packages/a/src/index.ts": 'export const name = "gemini"\n',
  })
  const next = "Let the model bring what is true of its vendor."
  expect(code).toBe(1)
  expect(problems).toEqual([
    `packages/core/src/base/ids.ts:2: names the vendor "Claude". ${next}`,
    `packages/core/src/base/ids.ts:3: names the vendor "OpenAI". ${next}`,
    `packages/core/src/base/ids.ts:3: names the vendor "gpt". ${next}`,
  ])
})

describe("a package that is excused", () => {
  const shell = "packages/shell/src"
  const circles: Sources = {
    [`${shell}/one/a.ts`]: 'import { b } from "../two/b.ts"\n',
    [`${shell}/two/b.ts`]: 'import { a } from "../one/a.ts"\n',
  }

  it("passes with circles of the excused kinds", async () => {
    expect(await check(circles)).toMatchObject({ code: 0, problems: [] })
  })

  it("fails with imports of another kind", async () => {
    const { code, problems } = await check({
      ...circles,
      [`${shell}/one/c.ts`]: 'import { one } from "../../../a/src/one/one.ts"\n',
      [`${a}/one/one.ts`]: "export const one = 1\n",
    })
    expect(code).toBe(1)
    expect(problems).toHaveLength(2)
  })

  it("fails when it has become clean, so that the list only gets shorter", async () => {
    const { code, problems } = await check({ [`${shell}/one.ts`]: "export const one = 1\n" })
    expect(code).toBe(1)
    expect(problems).toEqual(
      ["files", "folders"].map(
        (kind) => `packages/shell has no circles of ${kind} any more. Remove "${kind}" from its entry in EXCUSED.`,
      ),
    )
  })
})

it("does not count imports of a bundle that is loaded at run time, and counts those beside it", async () => {
  const tools = "packages/tools/src"
  const bundled: Sources = {
    [`${tools}/at-call.ts`]: 'export { run } from "./bash/run.ts"\n',
    [`${tools}/bash/bash.ts`]: 'export const bash = () => import("../at-call.ts")\n',
    [`${tools}/bash/run.ts`]: "export const run = 1\n",
  }
  expect(await check(bundled)).toMatchObject({ code: 0, problems: [] })
  const { code, problems } = await check({
    ...bundled,
    [`${tools}/other.ts`]: 'export { run } from "./bash/run.ts"\n',
    [`${tools}/bash/bash.ts`]: 'export const bash = () => import("../other.ts")\n',
  })
  expect(code).toBe(1)
  expect(problems).toHaveLength(3)
})
