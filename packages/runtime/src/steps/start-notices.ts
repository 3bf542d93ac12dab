import type { Session } from "@pawl/core"
import { plainLine } from "@pawl/plain-text"
import type { DefinedSettings } from "../config/definitions.ts"
import { ignoredNotices } from "../config/ignored-notices.ts"
import { refusedStorage } from "../config/storage-choice.ts"
import { checkSupport } from "../config/unsupported.ts"
import { unseenOrganizations } from "../organization/unseen-organizations.ts"
import { agentNotice } from "../prompt/agent-choice.ts"
import { addressNotice } from "../providers/model-choice.ts"
import type { SelectedModel } from "./select-model.ts"
import type { StartedEngine } from "./start-engine.ts"
import type { RunningPlugins } from "./start-plugins.ts"
import type { StepContext } from "./step-context.ts"

export interface NoticeSources {
  readonly settings: DefinedSettings
  readonly session: Session | undefined
  readonly agent: string | undefined
  readonly plugins: RunningPlugins | undefined
  readonly selected: SelectedModel
  readonly started: StartedEngine
}

/** Returns the notices for the user about everything that was ignored, refused or redirected on the way to the engine. */
export async function startNotices(
  { settings, session, agent, plugins, selected, started }: NoticeSources,
  { options, host }: StepContext,
): Promise<string[]> {
  const { layers, definitions } = settings
  const refused = refusedStorage(layers)
  return [
    ...settings.trust.notices,
    ...(await ignoredNotices(layers, settings.dataDirectory)),
    ...unseenOrganizations(selected.kept, layers),
    ...definitions.problems.filter(({ severity }) => severity === "error").map(({ message }) => message),
    ...checkSupport(layers),
    ...(plugins?.started.notices ?? []),
    ...started.notices,
    ...(refused === undefined ? [] : [refused]),
    ...(started.unusable === undefined ? [] : [started.unusable]),
    ...addressNotice(selected.model, options, settings, host),
    ...agentNotice(session, agent, settings),
  ].map(plainLine)
}
