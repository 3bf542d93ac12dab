import { execFileSync } from "node:child_process"
import { link, mkdir, rm, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { dirname, relative, resolve } from "node:path"
import type { PermissionNeed, ToolLocation } from "@pawl/core/tool"
import { expect, it, onTestFinished } from "vitest"
import { testDirectory } from "../test/directory.ts"
import { isWithin, relativeName } from "./paths.ts"
import { type PathCase, pathCases } from "../test/corpus/paths.ts"
import { isProtected } from "./protected/is-protected.ts"
import { createToolPaths } from "./tool-paths.ts"

interface Scene {
  readonly place: ToolLocation
  readonly fill: (text: string) => string
}

async function scene(of: PathCase): Promise<Scene> {
  const w = await testDirectory({
    "a.txt": "a\n",
    "src/b.ts": "b\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": "[core]\n",
    ".git/objects/x": "",
    ".git/refs/x": "",
    ".git/hooks/pre-commit": "",
  })
  const o = await testDirectory({
    "o.txt": "o\n",
    "home/.bashrc": "",
    "repo/.git/config": "[core]\n",
    "bare/HEAD": "ref: refs/heads/main\n",
    "bare/objects/x": "",
    "bare/refs/x": "",
  })
  const fill = (text: string) =>
    text
      .replaceAll("{w}", w)
      .replaceAll("{o}", o)
      .replaceAll("{cwd}", process.cwd())
      .replaceAll("{r}", relative(w, o))
      .replaceAll(/\{from (\S+) to (\S+)\}/g, (_, from: string, to: string) => relative(from, to))
      .replaceAll(/\{to (\S+)\}/g, (_, to: string) => relative(w, to))
  const at = (name: string) => resolve(w, fill(name))
  await change(of, at, fill)
  for (const [name, content] of Object.entries(of.files ?? {})) {
    await mkdir(dirname(at(name)), { recursive: true })
    await writeFile(at(name), fill(content))
  }
  for (const [name, target] of Object.entries(of.hardLinks ?? {})) await link(at(target), at(name))
  for (const name of of.pipes ?? []) execFileSync("mkfifo", [at(name)])
  for (const name of of.sockets ?? []) {
    const server = createServer()
    await new Promise<void>((done) => server.listen(at(name), done))
    onTestFinished(() => new Promise<void>((done) => void server.close(() => done())))
  }
  const { worktree = w, directory = worktree } = of.place ?? {}
  return { place: { worktree: fill(worktree), directory: fill(directory) }, fill }
}

async function change(
  { removed = [], links = {} }: NonNullable<PathCase["swap"]>,
  at: (name: string) => string,
  fill: (text: string) => string,
): Promise<void> {
  for (const name of removed) await rm(at(name), { recursive: true })
  for (const [name, content] of Object.entries(links)) await symlink(fill(content), at(name))
}

function shown(needs: readonly PermissionNeed[]): readonly string[] {
  return needs.map(({ permission, patterns }) => `${permission} ${patterns.join("|")}`)
}

/** What the path asks for, and how it is used after that: the error of either, or the needs. */
async function judge(of: PathCase, { place, fill }: Scene): Promise<readonly string[]> {
  const paths = createToolPaths()
  const call = {}
  const needs = await paths.needs(call, fill(of.path), place, "edit")
  await change(of.swap ?? {}, (name) => resolve(place.worktree, fill(name)), fill)
  await paths.use(call, fill(of.path), place)
  return shown(needs)
}

/** The same from the path alone, as one would who does not look at the disk. */
function judgeText(of: PathCase, { place, fill }: Scene): readonly string[] {
  const absolute = resolve(place.directory, fill(of.path))
  const name = relativeName(place.worktree, absolute)
  const isInside = isWithin(place.worktree, absolute) || isWithin(place.directory, absolute)
  return [
    ...(isInside ? [] : [`external_directory ${dirname(absolute)}/*`]),
    `edit ${name}`,
    ...(isProtected(isInside ? name : absolute) ? [`protected_file ${name}`] : []),
  ]
}

const cases = process.platform === "linux" ? pathCases : []

it("holds many cases, each of its own", () => {
  expect(pathCases.length).toBeGreaterThanOrEqual(90)
  expect(new Set(pathCases.map(({ about }) => about)).size).toBe(pathCases.length)
  expect(pathCases.filter(({ needs, error }) => (needs === undefined) === (error === undefined))).toEqual([])
})

it.each(cases)("judges $about", async (of) => {
  const made = await scene(of)
  const needs = of.needs?.map(made.fill)
  if (of.onDisk) expect(judgeText(of, made)).not.toEqual(needs)
  if (of.error !== undefined) await expect(judge(of, made)).rejects.toThrow(of.error)
  else expect(await judge(of, made)).toEqual(needs)
})
