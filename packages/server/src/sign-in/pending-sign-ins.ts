import { beginSignIn, type OAuthMethod, type StartedSignIn } from "@pawl/credentials/begin-sign-in"
import { inputProblem, signInInputs } from "@pawl/credentials/sign-in-inputs"
import type { ServerHost } from "../host.ts"
import { RequestError, SignInError } from "../request-error.ts"
import { methodsOf } from "./provider-methods.ts"

/** The sign-ins of a directory that wait for their user, at most one for each provider. Nothing is saved before one ends. */
export interface PendingSignIns {
  /** Begins a sign-in, which replaces that of the same provider. Rejects with RequestError and SignInError. */
  authorize(providerID: string, request: AuthorizeRequest, signal: AbortSignal): Promise<ShownSignIn>
  /**
   * Ends a sign-in and saves its credentials. One that asks for no code waits for the user. Rejects with RequestError
   * and SignInError, whose messages contain nothing of the plugin's errors, in which codes and tokens could be.
   */
  finish(providerID: string, request: FinishRequest, signal: AbortSignal): Promise<void>
  /** Forgets all sign-ins, and ends those that are waited for. Further ones are refused. */
  close(): void
}

export interface AuthorizeRequest {
  /** Position in the list of the provider's methods. */
  readonly method: number
  readonly inputs?: Readonly<Record<string, string>> | undefined
}

export interface FinishRequest {
  readonly method: number
  readonly code?: string | undefined
}

export type ShownSignIn = Pick<StartedSignIn, "url" | "method" | "instructions">

export interface PendingSignInsOptions {
  /** Calls a function after this time, unless the returned one is called before. Default: a timer that keeps no process alive */
  readonly startTimer?: (ms: number, onEnd: () => void) => () => void
}

type SignInHost = Pick<ServerHost, "engine" | "setAuth">

interface Pending {
  readonly method: number
  readonly plugin: string
  /** Aborts with the reason if the sign-in is forgotten. */
  readonly ended: AbortController
  readonly stopTimer: () => void
  /** Missing while the plugin begins it. */
  started?: StartedSignIn
  isFinishing: boolean
}

const MAX_AGE_MS = 10 * 60_000
/** A provider has one, so this bounds the providers of plugins. */
const MAX_PENDING = 16

export const KEEPS_NO_CREDENTIALS = "This host keeps no credentials."

/**
 * ```
 *  authorize ──▶ beginning ──▶ waiting for a callback ◀── failed with a code ──┐
 *                    │                  │  callback                            │
 *                    │                  ▼                                      │
 *                    │              finishing ─────────────────────────────────┘
 *                    │                  │ succeeded: saved, and forgotten
 *                    ▼                  ▼
 *   forgotten: replaced, 10 minutes old, one too many, closed, its client left
 * ```
 */
export function createPendingSignIns(
  host: SignInHost,
  { startTimer = unrefTimer }: PendingSignInsOptions = {},
): PendingSignIns {
  const pending = new Map<string, Pending>()
  let isClosed = false

  function forget(providerID: string, entry: Pending, reason: string): void {
    if (pending.get(providerID) === entry) pending.delete(providerID)
    entry.stopTimer()
    entry.ended.abort(conflict(providerID, reason))
  }

  function begin(providerID: string, method: number, plugin: string): Pending {
    if (isClosed) throw new RequestError("Query", "This server is stopping.")
    const before = pending.get(providerID)
    if (before) forget(providerID, before, "it was replaced by a newer one")
    const [oldest] = pending
    if (oldest && pending.size >= MAX_PENDING) forget(...oldest, "too many others were begun")
    const onLate = () => forget(providerID, entry, "it is older than 10 minutes")
    const stopTimer = startTimer(MAX_AGE_MS, onLate)
    const entry: Pending = { method, plugin, ended: new AbortController(), stopTimer, isFinishing: false }
    pending.set(providerID, entry)
    return entry
  }

  return {
    async authorize(providerID, { method: index, inputs = {} }, signal) {
      if (!host.setAuth) throw new RequestError("Params", KEEPS_NO_CREDENTIALS)
      const { plugin, method } = oauthMethod(host, providerID, index)
      const answers = await givenInputs({ providerID, plugin, method, inputs })
      const entry = begin(providerID, index, plugin)
      try {
        const work = async () => {
          const started = await beginSignIn(providerID, method, answers)
          // Clients open it: an address such as `javascript:` would run there. An empty one needs no browser.
          if (started.url !== "" && !/^https?:\/\//i.test(started.url)) throw new TypeError("It is not a web address.")
          return started
        }
        const reason = pluginFailure(providerID, plugin, "BadRequest", "begin")
        entry.started = await pluginResult(work, { reason, signals: [entry.ended.signal, signal] })
      } catch (error) {
        forget(providerID, entry, "it failed")
        throw error
      }
      const { url, method: kind, instructions } = entry.started
      return { url, method: kind, instructions }
    },
    async finish(providerID, { method, code }, signal) {
      if (!host.setAuth) throw new RequestError("Params", KEEPS_NO_CREDENTIALS)
      const entry = pending.get(providerID)
      if (!entry?.started) throw missing(providerID)
      const { started, plugin } = entry
      if (entry.method !== method) throw otherMethod(providerID, entry.method)
      if (entry.isFinishing) throw conflict(providerID, "another request already ends it")
      const usesCode = started.method === "code"
      if (usesCode && !code) throw missingCode(providerID)
      entry.isFinishing = true
      const signals = [entry.ended.signal, signal]
      try {
        const reason = pluginFailure(providerID, plugin, "ProviderAuthOauthCallbackFailed", "end")
        const credential = await pluginResult(() => started.finish(code), { reason, signals })
        if (!credential) throw notAccepted(providerID)
        forget(providerID, entry, "it has ended")
        await host.setAuth(credential.providerID, credential.auth)
      } catch (error) {
        // The user may have mistyped the code.
        if (!usesCode || signal.aborted) forget(providerID, entry, "it failed")
        throw error
      } finally {
        entry.isFinishing = false
      }
    },
    close() {
      isClosed = true
      for (const [providerID, entry] of pending) forget(providerID, entry, "this server is stopping")
    },
  }
}

interface GivenInputs {
  readonly providerID: string
  readonly plugin: string
  readonly method: OAuthMethod
  readonly inputs: Readonly<Record<string, string>>
}

/**
 * Returns the inputs that the method asks for. A missing one stays missing: the main entry of OpenCode's SDK sends none,
 * and its plugins have defaults.
 */
async function givenInputs({ providerID, plugin, method, inputs }: GivenInputs) {
  const work = async () =>
    signInInputs(method.prompts ?? [], (prompt) => {
      const answer = Object.hasOwn(inputs, prompt.key) ? inputs[prompt.key] : undefined
      const problem = answer === undefined ? undefined : inputProblem(prompt, answer)
      if (problem !== undefined) throw invalidInput(providerID, prompt.key, problem)
      return answer
    })
  return pluginResult(work, { reason: pluginFailure(providerID, plugin, "BadRequest", "begin"), signals: [] })
}

function oauthMethod({ engine }: SignInHost, providerID: string, index: number) {
  const methods = methodsOf(engine, providerID)
  const found = methods[index]
  const id = JSON.stringify(providerID)
  if (!found) {
    const known = methods.map(({ label }, at) => `${at} ${label}`).join(", ")
    throw new RequestError("Body", `There is no sign-in method ${index} of ${id}. There are: ${known}.`)
  }
  const { label, plugin } = found
  if (plugin?.method.type !== "oauth") {
    const route = `PUT /auth/${encodeURIComponent(providerID)}`
    throw new RequestError(
      "Body",
      `"${label}" of ${id} takes a key and no sign-in in a browser: save it with ${route}.`,
    )
  }
  return { plugin: plugin.name, method: plugin.method }
}

interface PluginWork {
  /** Thrown in place of the plugin's error. */
  readonly reason: SignInError
  readonly signals: readonly AbortSignal[]
}

/** Returns the plugin's result without a time limit. Rejects once a signal aborts, and ignores the result that comes later. */
async function pluginResult<T>(work: () => Promise<T>, { reason, signals }: PluginWork): Promise<T> {
  const signal = AbortSignal.any([...signals])
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason as Error)
  signal.addEventListener("abort", onAbort, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([aborted, work()])
  } catch (error) {
    if (error instanceof SignInError) throw error
    // An error of the plugin may contain a token or a code, so it is not even a cause.
    throw signal.aborted ? (signal.reason as Error) : reason
  } finally {
    signal.removeEventListener("abort", onAbort)
  }
}

const authorizeRoute = (providerID: string) => `POST /provider/${encodeURIComponent(providerID)}/oauth/authorize`

function missing(providerID: string): SignInError {
  const message = `No sign-in to "${providerID}" is pending. Authorize first: ${authorizeRoute(providerID)}`
  return new SignInError(400, "ProviderAuthOauthMissing", { providerID, message })
}

function missingCode(providerID: string): SignInError {
  const message = `The sign-in to "${providerID}" needs the code that the user got in the browser. Send it as "code".`
  return new SignInError(400, "ProviderAuthOauthCodeMissing", { providerID, message })
}

function invalidInput(providerID: string, field: string, problem: string): SignInError {
  return new SignInError(400, "ProviderAuthValidationFailed", { providerID, field, message: `${field}: ${problem}` })
}

function notAccepted(providerID: string): SignInError {
  const message = `The sign-in to "${providerID}" failed: it was not accepted.`
  return new SignInError(400, "ProviderAuthOauthCallbackFailed", { providerID, message })
}

function pluginFailure(providerID: string, plugin: string, name: string, step: "begin" | "end"): SignInError {
  const message = `Plugin "${plugin}" could not ${step} the sign-in to "${providerID}". For the reason: pawl auth login ${providerID}`
  return new SignInError(400, name, { providerID, message })
}

function otherMethod(providerID: string, pending: number): RequestError {
  return new RequestError("Body", `The pending sign-in to "${providerID}" uses method ${pending}.`)
}

function conflict(providerID: string, reason: string): SignInError {
  const message = `The sign-in to "${providerID}" does not continue here: ${reason}.`
  return new SignInError(409, "ProviderAuthOauthConflict", { providerID, message })
}

function unrefTimer(ms: number, onEnd: () => void): () => void {
  const timer = setTimeout(onEnd, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
