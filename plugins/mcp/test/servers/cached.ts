// Runs a program with what was compiled before: a server's start is most of what a test of it costs.
import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url)))
await import(process.argv[2] ?? "")
