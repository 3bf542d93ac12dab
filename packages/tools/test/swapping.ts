import { spawn } from "node:child_process"
import { once } from "node:events"
import { onTestFinished } from "vitest"

const PROGRAM = `
  const { renameSync, symlinkSync } = require("node:fs")
  const [directory, outside] = process.argv.slice(1)
  const [link, real] = [directory + ".link", directory + ".real"]
  symlinkSync(outside, link)
  let made = 0
  const isMoved = (from, to) => {
    try {
      renameSync(from, to)
      return true
    } catch {
      return false
    }
  }
  const move = (from, to) => {
    // A writer makes a directory where none is for a moment, maybe more than once.
    while (!isMoved(from, to)) isMoved(to, directory + ".made" + made++)
  }
  const swap = () => {
    for (let round = 0; round < 50; round++) {
      move(directory, real)
      move(link, directory)
      move(directory, link)
      move(real, directory)
    }
    setImmediate(swap)
  }
  console.log("swapping")
  swap()
`

/** Starts a process that swaps a directory with a link to one outside, back and forth, until the test ends. */
export async function startSwapping(directory: string, outside: string): Promise<void> {
  const child = spawn(process.execPath, ["-e", PROGRAM, directory, outside], { stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(async () => {
    const ended = once(child, "exit")
    if (child.exitCode !== null) throw new Error(`The process that swaps has ended with ${child.exitCode}.`)
    child.kill("SIGKILL")
    await ended
  })
  await once(child.stdout, "data")
}
