import { type CommandInput, defineCommand } from "../arguments/command.ts"
import { UsageError } from "../arguments/usage-error.ts"
import { createScratch, type Scratch } from "../demo/scratch.ts"
import { testsPass } from "../demo/tests-pass.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { wrap } from "@pawl/terminal-text/flow"
import { quoted } from "@pawl/terminal-text/quoted"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { runTask } from "../run/run-task.ts"
import { listenForStop, type Stop, stopCode, type StopReason } from "../run/stop.ts"
import { format } from "../command-options.ts"

const demoOptions = {
  keep: { summary: "keep the project and the session" },
  pace: { value: "<factor>", summary: "playback delay factor; 1 = as recorded, 0 = none" },
  ...format,
} as const

const TASK = 'The test "keeps the price when the name is long" fails. Find out why, and fix the cause.'

async function demo({ options }: CommandInput<typeof demoOptions>, host: Host): Promise<ExitCode> {
  const pace = options.pace === undefined ? 1 : factor(options.pace)
  const stop = listenForStop(host, () => performance.now())
  const scratch = await createScratch(host.demoDirectory)
  const isKept = options.keep === true
  try {
    return await play({ scratch, pace, isKept, stop, format: options.format ?? "text" }, host)
  } finally {
    if (!isKept) await scratch.remove()
    stop.dispose()
  }
}

interface Show {
  readonly scratch: Scratch
  readonly pace: number
  readonly isKept: boolean
  readonly stop: Stop
  readonly format: "text" | "json"
}

async function play({ scratch, pace, isKept, stop, format }: Show, host: Host): Promise<ExitCode> {
  const { stderr, environment } = host
  const theme = createTheme(wantsColour(environment, stderr.isTerminal))
  const say = (text: string) => stderr.write(`${wrap(text, stderr.columns).join("\n")}\n`)

  say(
    theme.faint(
      `A small project with a failing test, in ${scratch.project}. The model is played from a script; the rest is real.`,
    ),
  )
  stderr.write(`\n${theme.accent(">")} ${wrap(TASK, stderr.columns - 2).join("\n  ")}\n\n`)
  await scratch.fill()
  if (stop.signal.aborted) return stopCode(stop.signal.reason as StopReason)

  const exitCode = await runTask(
    {
      directory: scratch.project,
      choice: { type: "new" },
      task: { text: TASK, files: [] },
      model: { model: "replay/demo", pace },
      format,
      showNext: (command) => (isKept ? `PAWL_DATA_DIR=${quoted(scratch.data)} ${command}` : undefined),
    },
    { ...host, environment: scratchEnvironment(environment, scratch) },
  )
  if (exitCode !== exitCodes.success) {
    if (!isKept) say(theme.faint("The project and its session are removed now."))
    return exitCode
  }

  const isGreen = await testsPass(scratch.project)
  stderr.write(
    `\n${isGreen ? theme.good("✔ the tests pass, run once more by the demo itself") : theme.bad("✗ the tests still fail")}\n`,
  )
  if (isKept) say(`kept: ${scratch.project} (the project), ${scratch.data} (the session)`)
  else say(theme.faint("The project and its session are removed now. To keep them and continue, use --keep."))
  stderr.write(`Your turn:\n  ${host.program} run -m <provider/model> "<task>"\n  ${host.program} run --help\n`)
  return isGreen ? exitCodes.success : exitCodes.failed
}

/** Returns an environment without the user's configuration and sessions, so that the demo is always the same. */
function scratchEnvironment(environment: Host["environment"], { data, configuration }: Scratch): Host["environment"] {
  const {
    PAWL_CONFIG: _file,
    PAWL_CONFIG_CONTENT: _content,
    OPENCODE_CONFIG: _openCodeFile,
    OPENCODE_CONFIG_CONTENT: _openCodeContent,
    PAWL_MODEL: _model,
    PAWL_STORAGE: _storage,
    ...others
  } = environment
  return { ...others, PAWL_DATA_DIR: data, PAWL_CONFIG_DIR: configuration }
}

function factor(text: string): number {
  const number = Number(text)
  if (text.trim() !== "" && Number.isFinite(number) && number >= 0) return number
  throw new UsageError(`invalid value "${text}" for --pace: expected a number, 0 or more`, "See: pawl demo --help")
}

export const command = defineCommand({
  usage: ["demo [options]"],
  notes: [
    "A script plays the model. The repository, the tools, the tests and the stored session are real. " +
      "Everything is removed at the end unless --keep is passed.",
  ],
  words: { min: 0, max: 0 },
  options: demoOptions,
  exitCodes: { 0: "the agent fixed the failing test" },
  examples: [
    ["pawl demo", "watch at a readable pace"],
    ["pawl demo --keep --pace 0", "run without pauses and keep the result"],
  ],
  run: demo,
})
