import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Opens a text in the user's editor, which has the terminal until it ends. Resolves with the text that was stored. */
export async function editExternally(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const program = environment["VISUAL"] || environment["EDITOR"]
  if (!program) throw new Error("No editor is known. Set VISUAL or EDITOR, such as EDITOR=vim.")
  const directory = await mkdtemp(join(tmpdir(), "pawl-prompt-"))
  const file = join(directory, "prompt.md")
  try {
    await writeFile(file, text, { mode: 0o600 })
    const code = await run(program, file)
    if (code !== 0) throw new Error(`The editor "${program}" ended with ${code}. The prompt is as before.`)
    return (await readFile(file, "utf8")).replace(/\n$/, "")
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Through a shell, because the variable may hold arguments. */
function run(program: string, file: string): Promise<number | string> {
  const { promise, resolve, reject } = Promise.withResolvers<number | string>()
  const child = spawn("/bin/sh", ["-c", `${program} "$1"`, "sh", file], { stdio: "inherit" })
  child.on("error", reject)
  child.on("exit", (code, signal) => resolve(code ?? signal ?? "a signal"))
  return promise
}
