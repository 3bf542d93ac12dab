import { type ModelServer, modelServer } from "@pawl/model-server"
import { type Model, type ModelEvent, type Provider, ProviderError } from "@pawl/core/provider"
import { type Address, relayByteByByte } from "./relay.ts"
import type { Wire } from "./request-view.ts"
import { sampleRequest } from "./samples.ts"
import type { ConnectionUnderTest, Need, SpecContext, ModelUnderTest, Spec } from "./section.ts"

export interface ProviderUnderTest {
  /** Opens the provider in front of a server, which is at `url` with `/v1` and at `origin` without. */
  readonly open: (address: Address, connection: ConnectionUnderTest) => Provider | Promise<Provider>
  /** A model of it that reasons and takes what `lacks` does not name. */
  readonly modelID: string
  /** How its API spells requests. */
  readonly wire: Wire
  /** Features that the API lacks, with the reason. Sections that need one are skipped. */
  readonly lacks?: Readonly<Partial<Record<Need, string>>>
  /** Specs or sections to skip, by name or title. The reason is part of the test's name. */
  readonly skip?: readonly { readonly spec: string; readonly reason: string }[]
}

/** The key that every server of a spec asks for. */
export const sampleKey = "k-correct-horse-battery"

const never = new AbortController().signal

/** Runs one spec against servers of its own, and closes them whatever happens. Rejects when the contract is broken. */
export async function runSpec(
  spec: Spec,
  subject: Pick<ProviderUnderTest, "open" | "modelID" | "wire">,
): Promise<void> {
  const opened: AsyncDisposable[] = []
  const start: SpecContext["start"] = async (
    replies,
    { server: serverOptions, connection, byteByByte = false } = {},
  ) => {
    const server = await modelServer({ replies, apiKey: sampleKey, ...serverOptions })
    opened.push(server)
    const { origin } = new URL(server.url)
    let address: Address = { url: server.url, origin }
    if (byteByByte) {
      const relay = await relayByteByByte(origin)
      opened.push(relay)
      address = relay
    }
    const given = { apiKey: sampleKey, headers: {}, query: {}, timeout: 0, ...connection }
    const provider = await subject.open(address, given)
    return toModelUnderTest(server, provider, await provider.model(subject.modelID), subject.wire)
  }
  const [run] = await Promise.allSettled([spec.run({ start })])
  const closed = await Promise.allSettled(opened.map((each) => each[Symbol.asyncDispose]()))
  for (const end of [run, ...closed]) if (end.status === "rejected") throw end.reason
}

function toModelUnderTest(server: ModelServer, provider: Provider, model: Model, wire: Wire): ModelUnderTest {
  return {
    server,
    provider,
    model,
    async ask(request, signal = never) {
      const events: ModelEvent[] = []
      for await (const event of model.stream(sampleRequest(request), signal)) events.push(event)
      return events
    },
    async failure(request) {
      const events: ModelEvent[] = []
      try {
        for await (const event of model.stream(sampleRequest(request), never)) events.push(event)
      } catch (error) {
        if (error instanceof ProviderError) return { error, events }
        throw error
      }
      throw new Error(`The answer was to fail, and ended with: ${JSON.stringify(events.at(-1))}`)
    },
    sent(index) {
      const request = server.requests[index]
      if (request === undefined) throw new Error(`The server was sent ${server.requests.length} requests.`)
      return wire.read(request.body)
    },
    keyOf(index) {
      return wire.key(server.requests[index]?.headers ?? {})
    },
  }
}
