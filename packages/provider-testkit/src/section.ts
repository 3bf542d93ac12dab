import type { ModelServer, ModelServerOptions, Replies } from "@pawl/model-server"
import type { Model, ModelEvent, ModelRequest, Provider, ProviderError } from "@pawl/core/provider"
import type { RequestView } from "./request-view.ts"

/** The surroundings of a spec. Servers that it starts are closed when the spec ends. */
export interface SpecContext {
  /** A server that answers like this, and the provider's model in front of it. */
  readonly start: (replies: Replies, options?: StartOptions) => Promise<ModelUnderTest>
}

export interface StartOptions {
  readonly server?: Omit<ModelServerOptions, "replies">
  readonly connection?: Partial<ConnectionUnderTest>
  /** Hands on every byte of an answer by itself. */
  readonly byteByByte?: boolean
}

/** How the provider under test is to reach its server. */
export interface ConnectionUnderTest {
  readonly apiKey: string
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Milliseconds for the whole of an answer; 0 for no limit. */
  readonly timeout: number
}

export interface ModelUnderTest {
  readonly server: ModelServer
  readonly provider: Provider
  readonly model: Model
  /** The whole of an answer. `request`: what differs from a sample. */
  readonly ask: (request?: Partial<ModelRequest>, signal?: AbortSignal) => Promise<readonly ModelEvent[]>
  /** Returns the error of an answer, with the events before it. Rejects if it throws no ProviderError. */
  readonly failure: (request?: Partial<ModelRequest>) => Promise<{ error: ProviderError; events: ModelEvent[] }>
  /** The request of this number, from 0, as the server understood it. */
  readonly sent: (index: number) => RequestView
  /** The key that it carried. */
  readonly keyOf: (index: number) => string | undefined
}

/** A promise of the contract. Rejects if the provider breaks it. */
export interface Spec {
  /** A sentence about the provider. */
  readonly name: string
  run(place: SpecContext): Promise<void>
}

/** Features that some vendors' APIs lack. */
export type Need =
  | "reasoning that shows"
  | "signed reasoning"
  | "streamed arguments"
  | "arguments as text"
  | "images"
  | "PDF"
  | "message prefix"
  | "cache marks"

export interface Section {
  readonly title: string
  /** Without it the section is skipped. */
  readonly needs: Need | undefined
  readonly specs: readonly Spec[]
}

export function section(
  title: string,
  specs: Readonly<Record<string, (place: SpecContext) => Promise<void>>>,
  { needs }: { needs?: Need } = {},
): Section {
  return { title, needs, specs: Object.entries(specs).map(([name, run]) => ({ name, run })) }
}
