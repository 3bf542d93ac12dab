// Checks that imports point down, type-only imports included: no circle of files or folders within a package, none of packages,
// and within core only to folders below. Prints each offending import. `node scripts/check-imports.mjs [workspace]`
import { readFileSync, readdirSync, existsSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"

/** The folders of core from top to bottom; `""` holds the entry points and the composition root. */
const CORE_FOLDERS = [
  ...["", "sessions", "subagent", "run", "compaction", "tool-call", "inbox", "generate", "request", "cache", "media"],
  ...["repetition", "questions", "budget", "usage", "permission", "tool-set", "hooks", "facts", "measure", "reminders"],
  ...["workspace", "store", "agents", "contracts", "record", "base"],
]

const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), ".."))
const packages = ["packages", "plugins", "apps"].flatMap((group) => packagesIn(join(root, group)))
const problems = [...packages.flatMap(problemsWithin), ...problemsAmong(packages)]
for (const problem of problems) console.error(problem)
if (problems.length > 0) console.error(`${problems.length} imports point the wrong way.`)
process.exitCode = problems.length > 0 ? 1 : 0

function packagesIn(group) {
  if (!existsSync(group)) return []
  return readdirSync(group)
    .map((name) => join(group, name))
    .filter((directory) => existsSync(join(directory, "package.json")) && existsSync(join(directory, "src")))
    .map((directory) => {
      const { name } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"))
      return { name, directory, files: sourcesOf(join(directory, "src")) }
    })
}

/** By path below `src`: what each source imports, with the line that says so. */
function sourcesOf(src) {
  const names = readdirSync(src, { recursive: true }).map(String)
  const sources = names.filter((name) => name.endsWith(".ts") && !/\.(test|d)\.ts$/.test(name))
  return new Map(sources.map((name) => [name, importsOf(join(src, name), src)]))
}

function importsOf(file, src) {
  const text = readFileSync(file, "utf8")
  const pattern =
    /(?:^|\n)(?:import|export)\b[^"';]*?\bfrom\s+"([^"]+)"|(?:^|\n)import\s+"([^"]+)"|\bimport\("([^"]+)"\)/g
  return [...text.matchAll(pattern)].map((match) => {
    const target = match[1] ?? match[2] ?? match[3]
    const line = text.slice(0, match.index + match[0].indexOf(target)).split("\n").length
    const path = target.startsWith(".") ? relative(src, resolve(dirname(file), target)) : undefined
    return { target, path, place: `${relative(root, file)}:${line}` }
  })
}

function problemsWithin({ name, files }) {
  const inside = [...files].flatMap(([from, imports]) => {
    return imports.filter(({ path }) => files.has(path)).map((each) => ({ ...each, from, to: each.path }))
  })
  const folders = inside.map((each) => ({ ...each, from: folderOf(each.from), to: folderOf(each.to) }))
  return [
    ...circular(inside).map(({ place, target }) => `${place}: "${target}" closes a circle of files`),
    ...circular(folders.filter(({ from, to }) => from !== to)).map(
      ({ place, target, from, to }) => `${place}: "${target}" closes a circle of folders: ${from} and ${to}`,
    ),
    ...(name === "@pawl/core" ? upward(inside) : []),
  ]
}

function upward(imports) {
  const level = (path) => CORE_FOLDERS.indexOf(path.includes(sep) ? path.split(sep)[0] : "")
  return imports
    .filter(({ from, to }) => level(from) < 0 || level(from) > level(to))
    .map(({ place, target }) => `${place}: "${target}" is not in a folder below`)
}

function problemsAmong(all) {
  const names = new Set(all.map(({ name }) => name))
  const imports = all.flatMap(({ name, files }) => {
    return [...files.values()].flat().map((each) => {
      const to = each.target.startsWith("@") ? each.target.split("/").slice(0, 2).join("/") : each.target.split("/")[0]
      return { ...each, from: name, to }
    })
  })
  const among = imports.filter(({ from, to }) => names.has(to) && from !== to)
  return circular(among).map(({ place, target }) => `${place}: "${target}" closes a circle of packages`)
}

/** The first folder below `src`; a file that stands in `src` itself is for all folders and has none. */
function folderOf(path) {
  return path.includes(sep) ? path.split(sep)[0] : path
}

/** The imports that lie on a circle: whose target leads back to where they are. */
function circular(imports) {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const reachable = new Map()
  const from = (start) => {
    const known = reachable.get(start)
    if (known) return known
    const seen = new Set()
    const open = [start]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const { to } of targets.get(node) ?? []) {
        if (seen.has(to)) continue
        seen.add(to)
        open.push(to)
      }
    }
    reachable.set(start, seen)
    return seen
  }
  return imports.filter((each) => from(each.to).has(each.from))
}
