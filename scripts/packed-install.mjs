// Installs the packed CLI into an empty folder with npm, as a user does, and runs it there.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const cli = join(dirname(fileURLToPath(import.meta.url)), "..", "apps", "cli")
const folder = mkdtempSync(join(tmpdir(), "pawl-packed-"))
const environment = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  PAWL_DATA_DIR: join(folder, "data"),
  PAWL_CONFIG_DIR: join(folder, "config"),
}
/** An image that has to be drawn smaller for any provider. */
const DRAWING = `
  const image = { width: 9000, height: 90, channels: 3, background: "red" }
  require("sharp")({ create: image }).png().toFile("wide.png")
`
const run = (command, args, cwd = folder) =>
  execFileSync(command, args, { cwd, env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })

try {
  run("npx", ["-y", "pnpm@12", "pack", "--pack-destination", folder], cli)
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"))
  writeFileSync(join(folder, "package.json"), `{ "name": "packed", "private": true }\n`)
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", `./${tarball}`])

  const pawl = join(folder, "node_modules", ".bin", "pawl")
  expect("pawl --version", run(pawl, ["--version"]), /^\d+\.\d+\.\d+/)
  writeFileSync(
    join(folder, "hello.jsonl"),
    `{"reply": [{"tool": "list", "input": {}}]}\n{"text": "Hello from the script."}\n`,
  )
  expect("a replayed run", run(pawl, ["run", "Say hello", "--script", "hello.jsonl"]), /Hello from the script\./)
  expect("its session", run(pawl, ["session", "list"]), /Say hello/)

  run(process.execPath, ["--eval", DRAWING])
  writeFileSync(join(folder, "look.jsonl"), `{"text": "A wide one."}\n`)
  const look = ["run", "Look at it", "-f", "wide.png", "--script", "look.jsonl"]
  run(pawl, look)
  expect(
    "drawing an image smaller",
    run(pawl, ["session", "show", "--format", "json"]),
    /^(?!.*"rejected").*wide\.png/s,
  )
  rmSync(join(folder, "node_modules", "sharp"), { recursive: true })
  const { status, stderr } = spawnSync(pawl, look, { cwd: folder, env: environment, encoding: "utf8" })
  expect("leaving it out without sharp", `${status} ${stderr}`, /^0 .*left out: sharp/s)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function expect(name, output, pattern) {
  if (!pattern.test(output)) throw new Error(`${name} printed something else:\n${output}`)
  console.log(`packed: ${name} works`)
}
