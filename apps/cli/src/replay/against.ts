import type { ToolPart } from "@pawl/core"
import { listenedTo, recordedInfo, type Recording, ROOT } from "@pawl/provider-replay"
import { maskedStrings } from "@pawl/secrets"
import { UsageError } from "../arguments/usage-error.ts"
import { openProviderAuth } from "@pawl/runtime/providers/open-provider-auth"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { loadProviders } from "@pawl/provider-registry/load-providers"
import { toModelRef } from "@pawl/provider-registry/model-ref"
import { createTheme, wantsColour } from "../render/theme.ts"
import { toolSubject } from "../render/tool-subject.ts"
import { readDefinedSettings } from "@pawl/runtime/config/definitions"
import { type OtherCall, sideLines } from "./against-lines.ts"
import { createNormalize } from "@pawl/replay/normalize"
import { openStage, perform } from "@pawl/replay/play"
import { createRecordedResults } from "@pawl/replay/recorded-results"
import { recordedDefinitions, recordedTools } from "@pawl/replay/recorded-tools"
import { endOf } from "@pawl/replay/recorder"
import type { LiveTools } from "@pawl/replay/rehearse"
import { createSessionMap } from "@pawl/replay/session-map"
import { createShow } from "./show.ts"
import { heardTokens, noSide, recordedTokens, type Side, withReply } from "@pawl/replay/usage-of"

export interface AgainstOptions {
  /** provider/model */
  readonly model: string
  readonly baseURL: string | undefined
  readonly keyVariable: string | undefined
  readonly live: LiveTools | undefined
  readonly format: "text" | "json"
  readonly signal: AbortSignal
}

/** Runs the task of a recording with another model and the recorded results, and compares the outcome. */
export async function replayAgainst(recording: Recording, host: Host, options: AgainstOptions): Promise<ExitCode> {
  const { model, live, signal, format } = options
  const ref = toModelRef(model)
  if (!ref) throw new UsageError(`invalid value "${model}" for --against: expected provider/model`, "See: pawl models")
  const providers = await providersOf(ref, host, options)
  const stage = await openStage(live?.directory)
  const show = createShow(host, { recording, format })
  try {
    const sessions = createSessionMap(recording)
    const normalize = createNormalize({
      places: [
        [recording.header.directory, "<directory>"],
        [stage.directory, "<directory>"],
      ],
      nameOf: (id) => sessions.nameOf(id),
      isShape: false,
    })
    const results = createRecordedResults(recording.results, normalize)
    const tally = createTally(model, recording, normalize)
    const { builtinTools } = await import("@pawl/tools")
    const recordedCalls = recordedTools({
      ...{ definitions: recordedDefinitions(recording), sessions, delegates: "always" },
      resultOf: ({ tool, input }) => results.same(tool, input),
      missing: (tool) =>
        `This call of ${tool} is not in the recording, so it has no result. Continue with what you know.`,
      traits: builtinTools({ agents: [], asks: true }),
    })
    await perform({
      ...{ recording, stage, sessions, model, signal },
      providers: providers.map((provider) => ({
        ...{ id: provider.id, name: provider.name, models: () => provider.models() },
        model: async (id) => {
          const found = await provider.model(id)
          return listenedTo(found, (line, { took }) => tally.reply(heardTokens(line), found.info.cost, took))
        },
      })),
      tools: live?.options.tools ?? recordedCalls,
      options: { limits: { steps: mostSteps(recording) }, ...live?.options },
      onEvent(event, rootID) {
        show.event(event, rootID)
        if (event.type === "message.part.updated" && event.properties.part.type === "tool")
          tally.call(event.properties.part)
      },
      onEnd(result) {
        show.turn(result)
        tally.end(endOf(result))
      },
      onBegin: () => {},
    })
    show.end()
    if (signal.aborted) return exitCodes.interrupted
    tell(recordedSide(recording), tally, host, format)
    return tally.side().end === "answered" ? exitCodes.success : exitCodes.failed
  } finally {
    show.end()
    await stage.close()
  }
}

/** A model that asks for ever what is not recorded is not to cost more and more. */
function mostSteps({ replies }: Recording): number {
  return Math.max(20, replies.length * 3)
}

async function providersOf(
  ref: NonNullable<ReturnType<typeof toModelRef>>,
  host: Host,
  { baseURL, keyVariable }: AgainstOptions,
) {
  const { environment, demoDirectory, secrets } = host
  const settings = await readDefinedSettings(host, host.directory)
  const { auth } = await openProviderAuth(settings, host)
  const { config, layers } = settings
  const sources = { environment, demoDirectory, secrets, config, layers, auth, baseURL, keyVariable }
  return (await loadProviders(ref, sources)).providers
}

interface Tally {
  reply(tokens: Side["tokens"], prices: Parameters<typeof withReply>[2], took: number): void
  call(part: ToolPart): void
  end(end: { readonly type: string; readonly answer?: string; readonly error?: string }): void
  side(): Side
  others(): readonly OtherCall[]
}

function createTally(model: string, recording: Recording, normalize: (text: string) => string): Tally {
  const results = createRecordedResults(recording.results, normalize)
  const seen = new Set<string>()
  const others: OtherCall[] = []
  let side = noSide(model)
  return {
    reply: (tokens, prices, took) => (side = withReply(side, tokens, prices, took)),
    call(part) {
      const { id, tool, state } = part
      if ((state.status !== "completed" && state.status !== "error") || seen.has(id)) return
      seen.add(id)
      const isSame = results.same(tool, state.input as never) !== undefined
      side = { ...side, calls: side.calls + 1, sameCalls: side.sameCalls + (isSame ? 1 : 0) }
      if (!isSame) others.push({ tool, subject: toolSubject(part, recording.header.directory ?? "/") })
    },
    end: ({ type, answer = "", error }) =>
      (side = { ...side, end: error === undefined ? type : `${type}: ${error}`, answer }),
    side: () => side,
    others: () => others,
  }
}

function recordedSide(recording: Recording): Side {
  const infos = recordedInfo(recording)
  const [name = ""] = infos.keys()
  const end = recording.ends.at(-1)
  const calls = recording.results.length
  const side = recording.replies.reduce(
    (sum, reply) => {
      const info = infos.get(reply.by ?? name)
      return withReply(sum, recordedTokens(reply), info?.cost, reply.took ?? 0)
    },
    noSide(recording.replies.find(({ session }) => session === ROOT)?.by ?? name),
  )
  return { ...side, calls, sameCalls: calls, end: end?.type ?? "not to its end", answer: end?.answer ?? "" }
}

function tell(recorded: Side, tally: Tally, { stdout, environment, secrets }: Host, format: "text" | "json"): void {
  const [other, others] = [tally.side(), tally.others()]
  if (format === "json") {
    const shown = maskedStrings({ recorded, other, others }, (text) => secrets.mask(text))
    stdout.write(`${JSON.stringify({ type: "against", ...shown })}\n`)
    return
  }
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const columns = stdout.isTerminal ? stdout.columns : 120
  stdout.write(`${secrets.mask(sideLines(recorded, other, { others, columns, theme }).join("\n"))}\n`)
}
