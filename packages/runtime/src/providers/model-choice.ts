import { relative } from "node:path"
import type { ModelRef, Session } from "@pawl/core"
import type { RuntimeHost } from "../host.ts"
import { projectAddress } from "@pawl/provider-registry/connection"
import { installedPackages } from "./installed-packages.ts"
import { toModelRef } from "@pawl/provider-registry/model-ref"
import { REPLAY, scriptID } from "@pawl/provider-registry/replay"
import { requireModel } from "@pawl/provider-registry/require-model"
import type { ChosenCommand } from "../prompt/find-command.ts"
import { SUMMARIZER } from "../config/agents.ts"
import type { DefinedSettings } from "../config/definitions.ts"
import type { Settings } from "../config/settings.ts"
import { titleModel } from "../config/titles.ts"
import { isSubtask } from "../prompt/agent-choice.ts"
import type { RuntimeOptions } from "../runtime-options.ts"

export interface ModelChoice {
  readonly session: Session | undefined
  readonly agent: string | undefined
  readonly command: ChosenCommand | undefined
  readonly settings: DefinedSettings
  /** Providers with saved credentials. */
  readonly kept: ReadonlySet<string>
}

/** Returns the model of the run. Throws UsageError if no model is selected. */
export async function chosenModel(
  { model: { model: flag, baseURL, script } = {}, prompt, agent: named }: RuntimeOptions,
  { session, agent, command, settings, kept }: ModelChoice,
  { environment }: RuntimeHost,
): Promise<ModelRef> {
  const { config } = settings
  if (script !== undefined) return { providerID: REPLAY, modelID: scriptID(script) }
  // Interrupted work continues with its model.
  if (!prompt && flag === undefined && session?.model) return session.model
  const hasAddress = Boolean(baseURL ?? environment["PAWL_BASE_URL"])
  const wanted = command && !isSubtask(command, settings) ? command.command.model : undefined
  if (flag === undefined && wanted !== undefined) return requireModel({ flag: wanted, environment, config, hasAddress })
  // Selecting an agent also selects that agent's model.
  const isAsked = named !== undefined || (command?.command.agent !== undefined && agent === command.command.agent)
  const isItsOwn = isAsked && agent !== undefined && config.agent?.[agent]?.model !== undefined
  const last = isItsOwn ? undefined : session?.model
  return requireModel({ flag, environment, kept, session: last, agent: agent ?? session?.agent, config, hasAddress })
}

export interface ModelNeeds {
  readonly settings: DefinedSettings
  readonly command: ChosenCommand | undefined
  readonly model: ModelRef
}

/** Returns the sources from which the providers of all models of the run are created. */
export function modelSources(
  { model: options, isSummarizer = false }: RuntimeOptions,
  { settings, command, model }: ModelNeeds,
  host: RuntimeHost,
) {
  const { config, layers } = settings
  const { environment, demoDirectory, secrets } = host
  const packages = installedPackages(settings, host)
  const summarizer = isSummarizer ? undefined : config.agent?.[SUMMARIZER]?.model
  const titler = model.providerID === REPLAY ? undefined : titleModel(config)
  const written = Object.entries(config.agent ?? {}).flatMap(([name, { model: own, fallback = [] }]) => {
    return own === undefined || name === SUMMARIZER ? fallback : [own, ...fallback]
  })
  const refs = [
    ...written,
    ...(config.fallback ?? []),
    ...(command?.command.model === undefined ? [] : [command.command.model]),
  ].map(toModelRef)
  const others = [...refs, titler || undefined].filter((ref) => ref !== undefined)
  return { ...options, environment, demoDirectory, secrets, config, layers, packages, summarizer, others }
}

/** Returns a notice if the project sets the provider's address, because that server reads everything that is sent. */
export function addressNotice(
  { providerID }: ModelRef,
  { model: options, directory }: RuntimeOptions,
  { config, layers }: Settings,
  { environment }: RuntimeHost,
): string[] {
  if (providerID === REPLAY) return []
  const address = projectAddress(providerID, { ...options, environment, config, layers })
  if (!address) return []
  const file = relative(directory, address.file)
  return [`model server ${address.baseURL} comes from ${file.startsWith("..") ? file : `./${file}`}`]
}
