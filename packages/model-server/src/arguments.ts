import { parseArgs } from "node:util"
import { MAX_TIMER_MS } from "./script/number.ts"

export const usageText = `Usage: pawl-model-server [options] <script.jsonl>

Plays a script as a model on a free port of 127.0.0.1, behind the APIs of OpenAI (Chat Completions and
Responses), Anthropic (Messages) and Gemini (generateContent).
Prints one line of JSON, {"url", "pid"}, and stops when its standard input ends or on SIGTERM.

  --repeat          start over when the script ends
  --delay <ms>      wait before each reply
  --log <file>      append each request as a line of JSON: {"receivedAt", "path", "body"}
  --api-key <key>   refuse requests without this key
  --models <a,b>    refuse requests for other models
  --no-strict       accept requests that the real API would refuse
  --help            show this text
`

/** The parsed command line. */
export type Arguments = { type: "help" } | ServeArguments

export interface ServeArguments {
  readonly type: "serve"
  readonly script: string
  readonly repeat: boolean
  /** Milliseconds. */
  readonly delay: number
  readonly log: string | undefined
  readonly apiKey: string | undefined
  readonly models: readonly string[] | undefined
  readonly strict: boolean
}

/** Parses the arguments after the program's name. Throws an error whose message is for the user. */
export function parseArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      repeat: { type: "boolean", default: false },
      delay: { type: "string", default: "0" },
      log: { type: "string" },
      "api-key": { type: "string" },
      models: { type: "string" },
      "no-strict": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  })
  if (values.help) return { type: "help" }
  const [script, ...others] = positionals
  if (script === undefined) throw new Error("Give the script file to play.")
  if (others.length > 0) throw new Error(`Give one script file, not ${positionals.length}.`)
  const delay = Number(values.delay)
  if (values.delay.trim() === "" || !(delay >= 0 && delay <= MAX_TIMER_MS)) {
    throw new Error(`--delay is a number of milliseconds up to ${MAX_TIMER_MS}, not "${values.delay}".`)
  }
  return {
    type: "serve",
    script,
    repeat: values.repeat,
    delay,
    log: values.log,
    apiKey: values["api-key"],
    models: values.models?.split(","),
    strict: !values["no-strict"],
  }
}
