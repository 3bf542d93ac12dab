import { helpWords } from "./arguments/help-words.ts"
import { helpText } from "./arguments/show-help.ts"
import { commands } from "./command-table.ts"
import { exitCodes } from "./exit-code.ts"
import { createTheme, wantsColour } from "./render/theme.ts"

/** Prints the requested help text without loading what only commands need. Returns false if the arguments do not request help. */
export async function startHelp(given: readonly string[]): Promise<boolean> {
  const words = helpWords(commands, given)
  // Other options and unknown commands are left to the full program.
  if (words === undefined || given.some((word) => word.startsWith("-") && word !== "--help" && word !== "-h"))
    return false
  const { fstatSync, writeSync } = process.getBuiltinModule("node:fs")
  // Only a terminal needs the stream; loading it for other outputs takes time.
  const { isTTY: isTerminal = false, columns = 0 } = fstatSync(STDOUT).isCharacterDevice() ? process.stdout : {}
  const paper = { columns: columns > 0 ? columns : 80, theme: createTheme(wantsColour(process.env, isTerminal)) }
  const text = await helpText(commands, words, paper).catch(() => undefined)
  if (text === undefined) return false
  const bytes = new TextEncoder().encode(text)
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(STDOUT, bytes, written)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The reader is slow: the stream waits for it.
    if (code === "EAGAIN") process.stdout.write(bytes.subarray(written))
    // A reader that closed the pipe gets no error.
    else if (code !== "EPIPE") {
      process.stderr.write(`pawl: the output could not be written: ${(error as Error).message}\n`)
      process.exitCode = exitCodes.failed
    }
  }
  return true
}

const STDOUT = 1
