// Checks that imports point down, type-only imports included: no circle of files or of first-level folders within a package,
// no circle of packages, in core only imports of folders below, and other packages only by their names. Prints each
// offending import. Also prints each name of a vendor in core, which knows none.
// `node scripts/check-imports.mjs [workspace]`
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"

/** The folders of core from top to bottom; `""` holds the entry points and the composition root. */
const CORE_FOLDERS = [
  ...["", "sessions", "subagent", "run", "compaction", "tool-call", "inbox", "generate", "request", "cache", "media"],
  ...["repetition", "questions", "budget", "usage", "permission", "tool-set", "hooks", "facts", "measure", "reminders"],
  ...["undo", "workspace", "store", "agents", "contracts", "record", "base"],
]

/** Packages that still have circles, with the kinds that are excused. An entry that became unnecessary fails the check. */
const EXCUSED = {
  "packages/shell": ["files", "folders"],
}

/** Bundles that several folders above load at run time. Imports of them are not counted, because they close circles. */
const BUNDLES = new Set(["packages/tools/src/at-call.ts"])

/** Vendors and their models, by which core must not decide anything. */
const VENDOR = /anthropic|claude|openai|\bgpt|gemini|google|mistral|deepseek|ollama|openrouter/gi

/** The next step for each kind of problem. */
const NEXT_STEP = {
  files: "Move what both files need to a file below them.",
  folders: "Move what both folders need to a folder or a file below them.",
  packages: "Move what both packages need to a package below them.",
  upward: "Move what it needs to the importing folder or one below it.",
  outside: "Import it by the name of its package.",
}

const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), ".."))
const packages = ["packages", "plugins", "apps"].flatMap(packagesIn)
const problems = [...packages.flatMap(problemsWithin), ...problemsAmong(packages)]
const counted = problems.filter(({ directory, kind }) => !EXCUSED[directory]?.includes(kind))
const unnecessary = packages.flatMap(({ directory }) => {
  const isClean = (kind) => !problems.some((problem) => problem.directory === directory && problem.kind === kind)
  return (EXCUSED[directory] ?? []).filter(isClean).map((kind) => ({ directory, kind }))
})

for (const { directory } of packages) report(directory)
for (const { directory, kind } of unnecessary) {
  console.error(`${directory} has no circles of ${kind} any more. Remove "${kind}" from its entry in EXCUSED.`)
}
const vendors = packages.filter(({ name }) => name === "@pawl/core").flatMap(vendorsIn)
for (const { place, vendor } of vendors) {
  console.error(`${place}: names the vendor "${vendor}". Let the model bring what is true of its vendor.`)
}
process.exitCode = counted.length + unnecessary.length + vendors.length > 0 ? 1 : 0
if (process.exitCode === 0) {
  const count = packages.flatMap(({ files }) => [...files.values()].flat()).length
  console.log(`${packages.length} packages and ${count} imports checked.`)
}

function report(directory) {
  const own = counted.filter((problem) => problem.directory === directory)
  for (const { place, target, kind, reason } of own) {
    console.error(`${place}: imports "${target}": ${reason}. ${NEXT_STEP[kind]}`)
  }
  if (own.length > 0) console.error(`${directory}: imports that point the wrong way: ${own.length}`)
}

/** Paths are relative to the workspace and have slashes on every system. */
function slashed(path) {
  return path.replaceAll(sep, "/")
}

function packagesIn(group) {
  if (!existsSync(join(root, group))) return []
  return readdirSync(join(root, group))
    .map((name) => `${group}/${name}`)
    .filter((directory) => ["package.json", "src"].every((name) => existsSync(join(root, directory, name))))
    .map((directory) => {
      const { name } = JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8"))
      return { name, directory, files: sourcesOf(join(root, directory, "src")) }
    })
}

/** Returns the imports of each source, by its path below `src`. */
function sourcesOf(src) {
  const names = readdirSync(src, { recursive: true }).map(slashed)
  const sources = names.filter((name) => /\.tsx?$/.test(name) && !/\.(test|d)\.tsx?$/.test(name))
  return new Map(sources.map((name) => [name, importsOf(join(src, name), src)]))
}

function importsOf(file, src) {
  const text = withoutComments(readFileSync(file, "utf8"))
  const pattern =
    /^[ \t]*(?:import|export)\b[^"';()]*?\bfrom\s*"([^"]+)"|^[ \t]*import\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/gm
  return [...text.matchAll(pattern)].map((match) => {
    const target = match[1] ?? match[2] ?? match[3]
    const line = text.slice(0, match.index + match[0].lastIndexOf(target)).split("\n").length
    const path = target.startsWith(".") ? slashed(relative(src, resolve(dirname(file), target))) : undefined
    return { target, path, place: `${slashed(relative(root, file))}:${line}` }
  })
}

function vendorsIn({ directory, files }) {
  return [...files.keys()].flatMap((file) => {
    const lines = readFileSync(join(root, directory, "src", file), "utf8").split("\n")
    return lines.flatMap((text, at) => {
      return [...text.matchAll(VENDOR)].map(([vendor]) => ({ place: `${directory}/src/${file}:${at + 1}`, vendor }))
    })
  })
}

/** Keeps line ends, so that lines stay countable, and texts, which may look like comments. */
function withoutComments(text) {
  const token = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[^]|[^`\\])*`|\/\*[^]*?\*\/|\/\/[^\n]*/g
  return text.replaceAll(token, (match) => (match.startsWith("/") ? match.replaceAll(/[^\n]/g, "") : match))
}

function problemsWithin({ name, directory, files }) {
  const all = [...files].flatMap(([from, imports]) => imports.map((each) => ({ ...each, from, to: each.path })))
  const isOutside = ({ path }) => path !== undefined && isInOtherPackage(`${directory}/src`, path)
  const within = all.filter(({ path }) => files.has(path) && !BUNDLES.has(`${directory}/src/${path}`))
  const wrong = name === "@pawl/core" ? upward(within) : []
  // Every circle of folders in core has an upward import, which is the one to correct.
  const inside = within.filter((each) => !wrong.includes(each))
  const folders = inside.map((each) => ({ ...each, from: folderOf(each.from), to: folderOf(each.to) }))
  const problem = (kind, reason) => (each) => ({ ...each, directory, kind, reason: reason(each) })
  return [
    ...circular(inside).map(problem("files", () => "closes a circle of files")),
    ...circular(folders.filter(({ from, to }) => from !== to))
      // Files of `src` stand for themselves: between two of them it is a circle of files, or another import closes it too.
      .filter(({ from, to }) => !files.has(from) || !files.has(to))
      .map(problem("folders", ({ from, to }) => `closes a circle of folders, from ${from} to ${to}`)),
    ...wrong.map(problem("upward", () => "is not in a folder below")),
    ...all.filter(isOutside).map(problem("outside", () => "leaves the package")),
  ]
}

function isInOtherPackage(src, path) {
  const target = slashed(relative(root, resolve(root, src, path)))
  return packages.some(({ directory }) => !src.startsWith(`${directory}/`) && target.startsWith(`${directory}/`))
}

function upward(imports) {
  const level = (path) => CORE_FOLDERS.indexOf(path.includes("/") ? path.split("/")[0] : "")
  return imports.filter(({ from, to }) => level(from) < 0 || level(from) > level(to))
}

function problemsAmong(all) {
  const names = new Set(all.map(({ name }) => name))
  const imports = all.flatMap(({ name, directory, files }) => {
    return [...files.values()].flat().map((each) => ({ ...each, directory, from: name, to: packageOf(each.target) }))
  })
  const among = imports.filter(({ from, to }) => names.has(to) && from !== to)
  return circular(among).map((each) => ({
    ...each,
    kind: "packages",
    reason: `closes a circle of packages, from ${each.from} to ${each.to}`,
  }))
}

function packageOf(target) {
  return target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/")
}

/** Returns the first folder below `src`, or the file itself if it is in `src`. */
function folderOf(path) {
  return path.split("/")[0]
}

/** Returns the imports that lie on a circle: their target leads back to where they are. */
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
