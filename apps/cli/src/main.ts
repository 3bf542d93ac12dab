#!/usr/bin/env node
import type { launch } from "../build/launch.ts"
import type { start } from "./start.ts"

// Nothing may be imported before Node's version is known: older versions cannot even load it. And what Node has built in is
// taken from the process: to import all names of such a module takes longer than the module itself.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
const args = process.argv.slice(2)
// Options of every command may stand before it.
const first = args.find((word) => word !== "-q" && (word === "--version" || !word.startsWith("--")))

if (major < 22 || (major === 22 && minor < 22)) {
  console.error(`pawl needs Node 22.22 or newer, and this is Node ${process.versions.node}. See https://nodejs.org`)
  process.exitCode = 1
} else if (first === "--version" || first === "-v") {
  const { readFileSync } = process.getBuiltinModule("node:fs")
  console.log(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version)
} else if (import.meta.url.endsWith(".ts")) {
  const sources: { start: typeof start } = await import(new URL("./start.ts", import.meta.url).href)
  await sources.start(args)
} else {
  const { createRequire } = process.getBuiltinModule("node:module")
  const bundle = createRequire(import.meta.url)("./launch.cjs") as { launch: typeof launch }
  await bundle.launch(import.meta, args)
}
