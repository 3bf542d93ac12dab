#!/usr/bin/env node
import { mkdirSync, readFileSync } from "node:fs"
import module from "node:module"

// Nothing else may be imported before Node's version is known: older versions cannot even load it.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
const [first] = process.argv.slice(2)

if (major < 22 || (major === 22 && minor < 22)) {
  console.error(`pawl needs Node 22.22 or newer, and this is Node ${process.versions.node}. See https://nodejs.org`)
  process.exitCode = 1
} else if (first === "--version" || first === "-v") {
  console.log(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version)
} else {
  // Not Node's own place: that lies below a directory which all users share, and what is found there is run.
  const { XDG_CACHE_HOME: cache, HOME: home } = process.env
  const caches = cache?.startsWith("/") ? cache : home?.startsWith("/") ? `${home}/.cache` : undefined
  if (caches) {
    const directory = `${caches}/pawl/compile`
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      module.enableCompileCache?.(directory)
    } catch {
      // Without a place for it each start compiles anew.
    }
  }
  const { start } = await import("./start.ts")
  await start()
}
