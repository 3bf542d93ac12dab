import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { beforeEach, describe, expect, it } from "vitest"
import { inTerminal, terminalHome, type TerminalProgram } from "./terminal.ts"
import { built } from "./workplace.ts"

let project: string
let environment: Record<string, string>

beforeEach(async () => {
  ;({ project, environment } = await terminalHome())
})

interface KillState {
  readonly name: string
  readonly replies: readonly object[]
  /** Brings the UI into the state. */
  readonly reach: (terminal: TerminalProgram) => Promise<void>
  /** Prompts that are stored then, as they are shown. */
  readonly prompts: readonly string[]
  /** Key that answers the question that is open then. */
  readonly answer?: string
}

/** Time after which keys belong to a question. */
const READING_MS = 600

const slow = { reply: [{ wait: 60_000 }, { text: "Never." }] }
const hook = { tool: "write", input: { filePath: ".git/hooks/post-commit", content: "#!/bin/sh\n" } }

async function send(terminal: TerminalProgram, prompt: string, shown: string): Promise<void> {
  terminal.type(`${prompt}\r`)
  await terminal.shows(shown)
}

/** Waits for the end of the turn, too: until then, commands of the user have to wait. */
async function finishTurn(terminal: TerminalProgram): Promise<void> {
  await send(terminal, "First", "First answer.")
  await terminal.shows("/help")
}

const states: readonly KillState[] = [
  {
    name: "a draft is typed",
    replies: [{ text: "First answer." }],
    async reach(terminal) {
      await send(terminal, "First", "First answer.")
      terminal.type("not sent")
      await terminal.shows("> not sent")
    },
    prompts: ["> First"],
  },
  {
    name: "it waits for the model",
    replies: [slow],
    reach: (terminal) => send(terminal, "First", "waiting for the model"),
    prompts: ["> First"],
  },
  {
    name: "an answer streams",
    replies: [{ reply: [{ text: "Begun.\n\nThen" }, { wait: 60_000 }, { text: "never" }] }],
    reach: (terminal) => send(terminal, "First", "Begun."),
    prompts: ["> First"],
  },
  {
    name: "a command runs",
    replies: [{ reply: [{ tool: "bash", input: { command: "echo begun; sleep 20", description: "Wait" } }] }],
    reach: (terminal) => send(terminal, "First", "sleep 20"),
    prompts: ["> First"],
  },
  {
    name: "a permission is asked for",
    replies: [{ reply: [hook] }],
    reach: (terminal) => send(terminal, "First", "Allow once"),
    prompts: ["> First"],
    answer: "1",
  },
  {
    name: "a prompt is queued",
    replies: [slow],
    async reach(terminal) {
      await send(terminal, "First", "waiting for the model")
      terminal.type("Second\u001B\r")
      await terminal.shows("after the turn: Second")
    },
    prompts: ["> First", "with your next prompt: Second"],
  },
  {
    name: "a command of the user runs",
    replies: [{ text: "First answer." }],
    async reach(terminal) {
      await finishTurn(terminal)
      await send(terminal, "!sleep 20", "! sleep 20")
    },
    prompts: ["> First", "! sleep 20"],
  },
  {
    name: "the rewind picker is open",
    replies: [{ text: "First answer." }],
    async reach(terminal) {
      await finishTurn(terminal)
      terminal.type("/rewind\r")
      await terminal.shows("Go back to before")
    },
    prompts: ["> First"],
  },
]

/** Default: each state once, killed at once. `PAWL_KILL_STATES=40`: also later, up to so many. */
const COUNT = Number(process.env["PAWL_KILL_STATES"] ?? states.length)
const DELAYS_MS = [0, 30, 120, 400, 1000]
const cases = DELAYS_MS.flatMap((delay) => states.map((state) => [state.name, delay, state] as const)).slice(0, COUNT)

async function open(replies: readonly object[], ...args: readonly string[]): Promise<TerminalProgram> {
  const script = join(project, "script.jsonl")
  await writeFile(script, replies.map((reply) => JSON.stringify(reply)).join("\n"))
  const command = [...built, ...args, "--script", script].map((word) => `'${word}'`).join(" ")
  const shell = `(echo "pid $BASHPID"; exec ${command}); echo "ended with $?"`
  const terminal = inTerminal(["bash", "-c", shell], { directory: project, environment })
  await terminal.shows("build ·")
  return terminal
}

describe("pawl that is killed", () => {
  it.each(cases)("when %s, %i ms later, shows its session again and continues", async (_name, delay, state) => {
    const killed = await open(state.replies)
    await state.reach(killed)
    await sleep(delay)
    process.kill(Number(/pid (\d+)/.exec(killed.raw())?.[1]), "SIGKILL")
    await killed.ended

    const answers = Array.from({ length: 8 }, (_, at) => ({ text: `Answer ${at} after the kill.` }))
    const again = await open(answers, "-c")
    for (const prompt of state.prompts) await again.shows(prompt)
    if (state.answer !== undefined) {
      await again.shows("Allow once")
      await sleep(READING_MS)
      again.type(state.answer)
      await again.shows("after the kill.")
    }
    again.type("And now?\r")
    await again.shows("after the kill.")
    await again.shows("> And now?")
    again.type("\u0004")

    await again.ended
    expect(again.text()).toContain("ended with 0")
  })
})
