// Checks which files npm would publish of each package: no tests, corpora, fixtures and test servers, and no path of this machine.
// `node scripts/packed-files.mjs [workspace] [--list]`; `--list` prints every file.
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

/** Each rule about paths with its reason. A package whose subject is testing is named in `EXCUSED`. */
const PATHS = [
  [/\.test\.[cm]?[jt]sx?(\.map)?$|\.test\.d\.ts(\.map)?$/, "a test"],
  [/(^|\/)(tests?|__tests__|golden|snapshots|__snapshots__)\//, "a folder of tests"],
  [/(^|\/)(fixtures?|corpus|corpora)(\/|\.[^/]*$)|corpus\.[^/]*$/, "a fixture or a corpus"],
  [/test-?server/i, "a test server"],
  [/(^|\/)(vitest|tsup)\.config\.|(^|\/)tsconfig[^/]*\.json$|\.tsbuildinfo$/, "a file of the build"],
  [
    /(^|\/)(\.env[^/]*|\.npmrc|\.DS_Store|metafile-[^/]*\.json)$|\.(log|pem|key|db|sqlite)$/,
    "a private or temporary file",
  ],
]

/** Paths that are the subject of their package. */
const EXCUSED = {
  // The repository in which the agent of the demo works.
  pawl: /^demo\/project\//,
  // Describes what a storage holds, for suites of third-party storages.
  "@pawl/storage-testkit": /^(src|dist)\/fixtures\./,
}

const { values, positionals } = parseArgs({ options: { list: { type: "boolean" } }, allowPositionals: true })
const root = resolve(positionals[0] ?? join(dirname(fileURLToPath(import.meta.url)), ".."))
const machine = [root, `${homedir()}/`].filter((path) => path.length > 3)
const packages = ["packages", "plugins", "apps"].flatMap(packagesIn)
let count = 0
let problems = 0

for (const { directory, name, files } of packed(packages)) {
  if (values.list) for (const file of files) console.log(`${name} ${file}`)
  if (!files.some((file) => file.startsWith("dist/"))) report(directory, "dist", "is missing. Run `pnpm build`")
  for (const file of files) check(directory, name, file)
  count += files.length
}
if (problems > 0) process.exitCode = 1
else console.log(`packed: ${count} files of ${packages.length} packages checked`)

function check(directory, name, file) {
  const broken = EXCUSED[name]?.test(file) ? undefined : PATHS.find(([pattern]) => pattern.test(file))
  if (broken) report(directory, file, `would be published, and is ${broken[1]}`)
  const text = readFileSync(join(root, directory, file), "latin1")
  const found = machine.find((path) => text.includes(path))
  if (found !== undefined) report(directory, file, `would be published, and contains the path ${found}`)
}

function report(directory, file, text) {
  problems += 1
  console.error(`${directory}/${file}: ${text}`)
}

function packagesIn(group) {
  if (!existsSync(join(root, group))) return []
  return readdirSync(join(root, group))
    .map((each) => `${group}/${each}`)
    .filter((directory) => existsSync(join(root, directory, "package.json")))
    .map((directory) => ({ directory, ...JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8")) }))
    .filter((manifest) => !manifest.private)
}

/** Adds the files that npm would put into each package. It follows `files` and its own rules, as pnpm does. */
function packed(all) {
  // Without a path, npm would pack the workspace itself.
  if (all.length === 0) return []
  const paths = all.map(({ directory }) => `./${directory}`)
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", ...paths], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"],
  })
  const files = new Map(
    JSON.parse(output).map(({ name, files: own }) => [name, own.map(({ path }) => path).toSorted()]),
  )
  return all.map((each) => ({ ...each, files: files.get(each.name) ?? [] }))
}
