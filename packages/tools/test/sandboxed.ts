import { execFileSync } from "node:child_process"
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { ToolResult } from "@pawl/core/tool"
import { onTestFinished } from "vitest"
import { bwrapSandbox, type BwrapOptions } from "../src/sandbox/bwrap.ts"
import type { Sandbox } from "../src/sandbox/sandbox.ts"
import { testContext } from "./context.ts"
import { testDirectory } from "./directory.ts"
import { type TestTools, testTools } from "./tools.ts"

export const bwrapOptions: BwrapOptions = { type: "bwrap", network: false, writable: [] }

/** Why there is no sandbox here: bubblewrap is missing, or user namespaces are forbidden; undefined where there is one. */
export const noBwrap = await bwrapSandbox(bwrapOptions).then(
  (sandbox) => sandbox.close().then(() => undefined),
  (error: Error) => error.message,
)

/** The end of the title of tests that need bubblewrap; give `noBwrap` to `describe.skipIf`. */
export const skipNote = noBwrap === undefined ? "" : ` (skipped: ${noBwrap})`

/** A home directory with secrets. Not below /tmp, of which a sandbox sees nothing anyway. */
export async function testHome(): Promise<string> {
  const home = await mkdtemp("/var/tmp/pawl-tools-")
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  for (const name of [".ssh", ".config/pawl"]) await mkdir(join(home, name), { recursive: true })
  await writeFile(join(home, ".ssh/id_ed25519"), "SECRET KEY")
  await writeFile(join(home, ".netrc"), "SECRET LOGIN")
  await writeFile(join(home, ".config/pawl/auth.json"), "SECRET TOKEN")
  await writeFile(join(home, "notes.txt"), "notes")
  return home
}

/** Returns this Node at a path that commands in a sandbox see: a copy outside of /tmp if the repository is below it. */
export async function visibleNode(): Promise<string> {
  if (!process.execPath.startsWith("/tmp/")) return process.execPath
  const node = join(await mkdtemp("/var/tmp/pawl-node-"), "node")
  onTestFinished(() => rm(dirname(node), { recursive: true, force: true }))
  await copyFile(process.execPath, node)
  return node
}

export interface Sandboxed {
  readonly home: string
  readonly directory: string
  readonly sandbox: Sandbox
  readonly tools: TestTools
  /** Runs a command with bash. */
  readonly run: (command: string, more?: object, signal?: AbortSignal) => Promise<ToolResult>
}

/** A project whose commands run in bubblewrap; `place`: the session's directory below it. */
export async function sandboxed(changes: Partial<BwrapOptions> = {}, place = "."): Promise<Sandboxed> {
  const home = await testHome()
  const files = { "src/a.txt": "a\n", ".claude/settings.json": "{}", "pawl.json": "{}" }
  const directory = await testDirectory({ ...files, ".husky/pre-push": "", "scripts/hooks/pre-push": "" })
  execFileSync("git", ["init", "--quiet", directory])
  execFileSync("git", ["-C", directory, "config", "core.hooksPath", "scripts/hooks"])
  await mkdir(join(directory, place), { recursive: true })
  const sandbox = await bwrapSandbox({ ...bwrapOptions, home, ...changes })
  onTestFinished(() => sandbox.close())
  const tools = testTools(directory, { sandbox })
  const env = async () => ({ PATH: process.env["PATH"] ?? "", HOME: home })
  return {
    ...{ home, directory, sandbox, tools },
    run: (command, more = {}, signal = new AbortController().signal) =>
      tools.run(
        "bash",
        { command, ...more },
        { ...testContext(join(directory, place), { env, signal }), worktree: directory },
      ),
  }
}
