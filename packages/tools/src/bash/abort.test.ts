import { randomUUID } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import { expect, it, onTestFinished } from "vitest"
import { testContext } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { testTools } from "../../test/tools.ts"

/** How a command can be hard to end. Each prints a line once all of it runs; `$N` makes its processes known by name. */
const commands = [
  "echo go; sleep $N",
  "trap '' TERM; echo go; while :; do sleep $N; done",
  "(trap '' TERM; sleep $N) & echo go; wait",
  "setsid sleep $N & echo go; wait",
  "(setsid sh -c 'sleep $0 & sleep $0' $N &); echo go; sleep $N",
  "((nohup sleep $N >/dev/null 2>&1 &) &); echo go; sleep $N",
  "(echo go; sleep $N) | cat | cat",
  "env -i sleep $N & echo go; wait",
  "env -i setsid sleep $N & echo go; wait",
  "sh -c 'sh -c \"sleep $0; true\" $0; true' $N & echo go; wait",
  "echo go; exec sleep $N",
  "cat <(sleep $N) <(sleep $N) & echo go; wait",
]

/** Milliseconds after its first output; has no divisor in common with the number of commands. */
const MOMENTS = 7

/** Process ids whose command line or environment holds the text. Zombies have neither. */
function processesWith(text: string): readonly string[] {
  return readdirSync("/proc").filter((id) => {
    if (!/^\d+$/.test(id) || Number(id) === process.pid) return false
    return ["cmdline", "environ"].some((file) => {
      try {
        return readFileSync(`/proc/${id}/${file}`, "latin1").includes(text)
      } catch {
        return false
      }
    })
  })
}

it.runIf(process.platform === "linux")(
  "leaves nothing of commands that are aborted, each at each of seven moments",
  async () => {
    const directory = await testDirectory()
    const tools = testTools(directory)
    const mark = randomUUID()
    // A number that only these commands have, for those that lose their environment.
    const seconds = `3${String(Date.now()).slice(-6)}.${String(process.pid).padStart(7, "0")}`
    onTestFinished(() => {
      for (const text of [mark, seconds]) for (const id of processesWith(text)) process.kill(Number(id), "SIGKILL")
    })
    const env = async () => ({ PATH: process.env["PATH"] ?? "", MARK: mark })

    async function abortOne(index: number): Promise<void> {
      const controller = new AbortController()
      const { promise: isReady, resolve } = Promise.withResolvers<void>()
      const progress = () => resolve()
      const context = testContext(directory, { env, progress, signal: controller.signal })
      const command = `N=${seconds}; ${commands[index % commands.length]}`
      const running = tools.run("bash", { command }, context)
      await Promise.race([isReady, running])
      // Each is met at another moment of its start.
      await delay(index % MOMENTS)
      controller.abort()
      expect((await running).output).toContain("the user aborted the call")
    }

    let next = 0
    const worker = async () => {
      while (next < commands.length * MOMENTS) await abortOne(next++)
    }
    await Promise.all(Array.from({ length: 28 }, worker))
    expect(processesWith(mark)).toEqual([])
    expect(processesWith(seconds)).toEqual([])
  },
)
