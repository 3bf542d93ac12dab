import type { EngineEvent, RunResult } from "@pawl/core"
import type { Provider } from "@pawl/core/provider"
import type { ToolPart } from "@pawl/core/record"
import { UsageError } from "@pawl/config/usage-error"
import { toModelRef } from "@pawl/provider-registry/model-ref"
import { listenedTo, recordedInfo, type Recording, ROOT } from "@pawl/provider-replay"
import { withDefinitions } from "@pawl/runtime/config/definitions"
import type { RuntimeHost } from "@pawl/runtime/host"
import type { ModelOptions } from "@pawl/runtime/runtime-options"
import { readConfiguration } from "@pawl/runtime/steps/read-configuration"
import { selectModel } from "@pawl/runtime/steps/select-model"
import { createStepContext } from "@pawl/runtime/steps/step-context"
import { createNormalize } from "./normalize.ts"
import { openReplayEnvironment, perform } from "./play.ts"
import { createRecordedResults } from "./recorded-results.ts"
import { recordedDefinitions, recordedTools } from "./recorded-tools.ts"
import { endOf } from "./recorder.ts"
import type { LiveTools } from "./rehearse.ts"
import { createSessionMap } from "./session-map.ts"
import { heardTokens, noSide, recordedTokens, type Side, withReply } from "./usage-of.ts"

export interface AgainstOptions {
  readonly model: ModelOptions & { readonly model: string }
  /** Default: recorded results. */
  readonly live: LiveTools | undefined
  readonly onEvent: (event: EngineEvent, rootID: string) => void
  readonly onEnd: (result: RunResult) => void
  readonly signal: AbortSignal
}

/** The work of two models on the same task. */
export interface Compared {
  readonly recorded: Side
  readonly other: Side
  /** Calls by the other model that the recording lacks. */
  readonly others: readonly ToolPart[]
}

/** Runs the task of a recording with another model and the recorded results. */
export async function runAgainst(recording: Recording, host: RuntimeHost, options: AgainstOptions): Promise<Compared> {
  const { live, signal } = options
  const { model } = options.model
  const providers = await providersOf(host, options)
  const replayEnvironment = await openReplayEnvironment(live?.directory)
  try {
    const sessions = createSessionMap(recording)
    const normalize = createNormalize({
      places: [
        [recording.header.directory, "<directory>"],
        [replayEnvironment.directory, "<directory>"],
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
      ...{ recording, replayEnvironment, sessions, model, signal },
      providers: providers.map((provider) => ({
        ...{ id: provider.id, name: provider.name, models: () => provider.models() },
        model: async (id) => {
          const found = await provider.model(id)
          return listenedTo(found, (line, { took }) => tally.reply(heardTokens(line), found.info.cost, took))
        },
      })),
      tools: live?.options.tools ?? recordedCalls,
      options: { limits: { steps: maxSteps(recording) }, ...live?.options },
      onEvent(event, rootID) {
        options.onEvent(event, rootID)
        if (event.type === "message.part.updated" && event.properties.part.type === "tool")
          tally.call(event.properties.part)
      },
      onEnd(result) {
        options.onEnd(result)
        tally.end(endOf(result))
      },
      onBegin: () => {},
    })
    return { recorded: recordedSide(recording), other: tally.side(), others: tally.others() }
  } finally {
    await replayEnvironment.close()
  }
}

/** Limits the cost if a model repeats calls that have no recorded result. */
function maxSteps({ replies }: Recording): number {
  return Math.max(20, replies.length * 3)
}

async function providersOf(host: RuntimeHost, { model }: AgainstOptions): Promise<readonly Provider[]> {
  if (!toModelRef(model.model)) {
    const text = `invalid value "${model.model}" for --against: expected provider/model`
    throw new UsageError(text, "See: pawl models")
  }
  const context = createStepContext({ directory: host.directory, host, model })
  const settings = await withDefinitions(await readConfiguration(context), host)
  const choice = { command: undefined, agent: undefined, isSummarizer: true }
  const selected = await selectModel(choice, settings, undefined, undefined, context)
  return (await selected.load(settings)).providers
}

interface Tally {
  reply(tokens: Side["tokens"], prices: Parameters<typeof withReply>[2], took: number): void
  call(part: ToolPart): void
  end(end: { readonly type: string; readonly answer?: string; readonly error?: string }): void
  side(): Side
  others(): readonly ToolPart[]
}

function createTally(model: string, recording: Recording, normalize: (text: string) => string): Tally {
  const results = createRecordedResults(recording.results, normalize)
  const seen = new Set<string>()
  const others: ToolPart[] = []
  let side = noSide(model)
  return {
    reply: (tokens, prices, took) => (side = withReply(side, tokens, prices, took)),
    call(part) {
      const { id, tool, state } = part
      if ((state.status !== "completed" && state.status !== "error") || seen.has(id)) return
      seen.add(id)
      const isSame = results.same(tool, state.input as never) !== undefined
      side = { ...side, calls: side.calls + 1, sameCalls: side.sameCalls + (isSame ? 1 : 0) }
      if (!isSame) others.push(part)
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
