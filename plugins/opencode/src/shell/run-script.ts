import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Writable } from "node:stream"
import { type Guardian, startGuarded } from "@pawl/process-guard"
import { exitCodeOf } from "../bun/exit-code.ts"
import { findProgram } from "../bun/which.ts"
import { quoted } from "./escape.ts"
import type { Script, ScriptFile } from "./script.ts"
import { ShellOutput } from "./shell-output.ts"

export interface ShellSettings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Ends the script if this process dies. */
  readonly guardian: Guardian
}

/** A longer script is passed in a file, because systems limit the length of an argument. */
const MAX_ARGUMENT_LENGTH = 60_000

/** Runs a script with bash, or with sh if bash is not installed. Resolves when the script ends, with any exit code. */
export async function runScript(
  script: Script,
  settings: ShellSettings,
  onStart: (stdin: Writable) => void,
): Promise<ShellOutput> {
  const needsDirectory = script.files.length > 0 || script.prelude.length + script.text.length > MAX_ARGUMENT_LENGTH
  if (!needsDirectory) return runText(script.prelude + script.text, undefined, settings, onStart)
  const directory = await mkdtemp(join(tmpdir(), "pawl-shell-"))
  try {
    const paths = await Promise.all(script.files.map((file, at) => prepared(file, join(directory, String(at)))))
    const text = paths.map(({ assignment }) => assignment).join("") + script.prelude + script.text
    const path = join(directory, "script")
    await writeFile(path, text, { mode: 0o600 })
    const output = await runText(text, path, settings, onStart)
    await Promise.all(paths.map((each) => each.finish()))
    return output
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function runText(
  text: string,
  path: string | undefined,
  { cwd, env, guardian }: ShellSettings,
  onStart: (stdin: Writable) => void,
): Promise<ShellOutput> {
  const bash = findProgram("bash", { env })
  // `**` matches directories at any depth, as in Bun.
  const options = bash ? ["--noprofile", "--norc", "-O", "globstar"] : []
  const source = path === undefined ? ["-c", text] : [path]
  const { child, release } = startGuarded(guardian, { env }, (marked) => {
    return spawn(bash ?? "/bin/sh", [...options, ...source], { cwd, env: marked, stdio: "pipe" })
  })
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk))
  // The script may end without reading its input.
  child.stdin.on("error", () => undefined)
  onStart(child.stdin)
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.on("error", (cause) =>
      reject(new Error(`The shell cannot be started in ${cwd}: ${cause.message}`, { cause })),
    )
    child.on("close", (code, signal) => resolve(exitCodeOf(code, signal)))
  }).finally(release)
  return new ShellOutput(Buffer.concat(stdout), Buffer.concat(stderr), exitCode)
}

interface PreparedFile {
  readonly assignment: string
  /** Called after the script has ended. */
  finish(): Promise<void>
}

async function prepared({ variable, direction, value }: ScriptFile, path: string): Promise<PreparedFile> {
  await writeFile(path, direction === "in" ? await bytesOf(value) : "", { mode: 0o600 })
  return {
    assignment: `${variable}=${quoted(path)}\n`,
    async finish() {
      if (direction === "out") fill(value, await readFile(path))
    },
  }
}

async function bytesOf(value: object): Promise<Uint8Array> {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  const answer = value instanceof Response ? value : new Response(value as ReadableStream | Blob)
  return new Uint8Array(await answer.arrayBuffer())
}

/** Copies as many bytes as fit. */
function fill(target: object, bytes: Uint8Array): void {
  if (ArrayBuffer.isView(target)) {
    const room = new Uint8Array(target.buffer, target.byteOffset, target.byteLength)
    room.set(bytes.subarray(0, room.length))
  } else if (target instanceof ArrayBuffer) new Uint8Array(target).set(bytes.subarray(0, target.byteLength))
  else throw new TypeError("The output of a script can be written to a buffer or a file.")
}
