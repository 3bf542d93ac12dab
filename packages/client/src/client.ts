import { type EventsOptions, type ReceivedEvent, readEvents } from "./events.ts"
import { type Operations, routes } from "./generated.ts"
import { send, type Target, textOf } from "./transport.ts"

export type OperationID = keyof Operations
export type Input<ID extends OperationID> = Operations[ID]["input"]
export type Output<ID extends OperationID> = Operations[ID]["output"]

export type ClientOptions = Target & {
  /** Absolute path of the directory that requests are for. Default: that of the server */
  readonly directory?: string | undefined
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Default: the client's */
  readonly directory?: string
}

export interface Client {
  readonly options: ClientOptions
  /**
   * Calls an operation by its id, such as `session.prompt`. Rejects with ServerError if the server refuses, and with the
   * error of the connection if there is no answer.
   */
  call<ID extends OperationID>(id: ID, input: Input<ID>, options?: CallOptions): Promise<Output<ID>>
  /** Streams events, each once and in order, also over cut connections. Default: of all directories */
  events(options?: EventsOptions): AsyncGenerator<ReceivedEvent, void>
}

/** Creates a client. Nothing is sent before the first call. */
export function createClient(options: ClientOptions): Client {
  return {
    options,
    async call(id, input, { signal, directory = options.directory } = {}) {
      const [method = "", path = ""] = routes[id].split(" ")
      const { path: names = {}, query = {}, body } = input as RequestFields
      const search = new URLSearchParams()
      for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
      if (directory !== undefined) search.set("directory", directory)
      const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => segment(name, names[name]))
      const outgoing = { method, path: search.size > 0 ? `${filled}?${search.toString()}` : filled, body, signal }
      const text = await textOf(await send(options, outgoing))
      return (text === "" ? undefined : JSON.parse(text)) as Output<typeof id>
    },
    events: (given) => readEvents(options, given),
  }
}

/** Servers drop segments of dots, and would then see another path. */
function segment(name: string, value = ""): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`"${value}" cannot be the ${name} of a path.`)
  return encodeURIComponent(value)
}

interface RequestFields {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
}
