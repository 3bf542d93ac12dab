#!/usr/bin/env node
import { readFileSync } from "node:fs"
import { writeSync } from "node:fs"
import module from "node:module"

if (process.env.MARKS) { (globalThis as any).__marks = []; process.on("exit", () => { (globalThis as any).__marks.push(["exit",performance.now()]); writeSync(2, (globalThis as any).__marks.map((m: any)=>m[0]+" "+m[1].toFixed(1)).join("\n")+"\n") }) }
// Nothing else may be imported before Node's version is known: older versions cannot even load it.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
const [first] = process.argv.slice(2)

if (major < 22 || (major === 22 && minor < 22)) {
  console.error(`pawl needs Node 22.22 or newer, and this is Node ${process.versions.node}. See https://nodejs.org`)
  process.exitCode = 1
} else if (first === "--version" || first === "-v") {
  console.log(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version)
} else {
;(globalThis as any).__marks?.push(["main",performance.now()]);
  module.enableCompileCache?.()
  const { start } = await import("./start.ts")
  await start()
}
