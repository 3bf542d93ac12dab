import type { Layer } from "@pawl/config/layer"
import { type Effect, effectsOf } from "./effects.ts"
import type { ProjectContent } from "./project-content.ts"
import { addTrust, readTrustStore } from "./trust-store.ts"
import { type TrustFlag, trustOf, type TrustState } from "./trust-of.ts"

/** `once`: for this run. `always`: as long as nothing of it changes. */
export type TrustAnswer = "once" | "always" | "no"

/** A request to trust a project, with at least one effect. */
export interface TrustRequest extends TrustState {
  readonly effects: readonly Effect[]
}

export type AskTrust = (request: TrustRequest) => Promise<TrustAnswer>

export interface TrustOptions {
  readonly flag?: TrustFlag | undefined
  /** Absent if no user can be asked. */
  readonly ask?: AskTrust | undefined
}

/** How far a project is trusted, and what that comes to. */
export interface Trust extends TrustRequest {
  /** Set if the project's plugins, tools, servers, commands and references may be used. */
  readonly isTrusted: boolean
  /** Notices about ignored items, and how to trust them. */
  readonly notices: readonly string[]
}

export interface TrustInput extends TrustOptions {
  readonly content: ProjectContent
  readonly layers: readonly Layer[]
  readonly dataDirectory: string
}

/** Asks only where the answer would change something. Rejects with a UsageError where the flag cannot be followed. */
export async function decideTrust({ content, layers, dataDirectory, flag, ask }: TrustInput): Promise<Trust> {
  const { entries, problem } =
    content.files.length === 0 ? { entries: [], problem: undefined } : await readTrustStore(dataDirectory)
  const found = trustOf({ content, entries, flag })
  const effects = effectsOf(content, layers)
  const request = { ...found, effects }
  if (found.state === "trusted" || found.state === "nothing") {
    return { ...request, isTrusted: found.state === "trusted", notices: [] }
  }
  if (effects.length > 0 && content.problem === undefined && ask) {
    const answer = await ask(request)
    if (answer === "always") await addTrust(dataDirectory, content, Date.now())
    if (answer !== "no") return { ...request, state: "trusted", isTrusted: true, notices: [] }
  }
  const notices = effects.length === 0 && content.problem === undefined ? [] : [untrustedNotice(request)]
  return { ...request, isTrusted: false, notices: problem === undefined ? notices : [problem, ...notices] }
}

const MAX_NAMED = 4

function untrustedNotice({ content: { problem }, effects, changed }: TrustRequest): string {
  const named = effects.slice(0, MAX_NAMED).map(({ file, what }) => `${what} of ${file.path}`)
  const more = effects.length > named.length ? ` and ${effects.length - named.length} more` : ""
  const out = `left out: ${named.join("; ")}${more}`
  if (problem !== undefined) return `This project cannot be trusted${effects.length > 0 ? `; ${out}` : ""}. ${problem}`
  const since = changed === undefined ? "" : `, as it changed since it was trusted (${someOf(changed)})`
  return `This project is not trusted${since}; ${out}. To see what that does and allow it: pawl trust`
}

function someOf(paths: readonly string[]): string {
  const more = paths.length - MAX_NAMED
  return [...paths.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(", ")
}
