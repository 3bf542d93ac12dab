import { resolve } from "node:path"
import type { ContextReport, EngineOptions, ModelRef, Session } from "@pawl/core"
import type { Storage } from "@pawl/core/storage"
import { createEngine } from "@pawl/runtime/create-engine"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { explainError } from "../../explain-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import { openProviderAuth } from "@pawl/runtime/providers/open-provider-auth"
import type { Host } from "../../host.ts"
import { installedPackages } from "@pawl/runtime/providers/installed-packages"
import { loadProviders } from "@pawl/provider-registry/load-providers"
import { REPLAY, scriptID } from "@pawl/provider-registry/replay"
import { requireModel } from "@pawl/provider-registry/require-model"
import { hasServers } from "@pawl/runtime/mcp/configured-servers"
import { inspect } from "@pawl/runtime/plugins/inspect"
import { isPure } from "@pawl/runtime/plugins/requested-plugins"
import { contextLines } from "../../render/context-lines.ts"
import { createTheme, wantsColour } from "../../render/theme.ts"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { shownBy } from "../../session/masked.ts"
import { namedSession } from "@pawl/runtime/session/named-session"
import { type DefinedSettings, readDefinedSettings } from "@pawl/runtime/config/definitions"
import { engineOptions } from "@pawl/runtime/config/engine-options"
import { withStorage } from "@pawl/runtime/storage/with-storage"
import { done, formattedStorageOptions, modelOptions, rawOptions } from "../../command-options.ts"

const sessionContextOptions = {
  ...modelOptions,
  dir: {
    value: "<directory>",
    completes: "directories",
    summary: "directory of the newest session (default: this one)",
  },
  ...rawOptions,
  ...formattedStorageOptions,
} as const

type Options = CommandInput<typeof sessionContextOptions>["options"]

export async function sessionContext(
  { options, words }: CommandInput<typeof sessionContextOptions>,
  host: Host,
): Promise<ExitCode> {
  return withStorage(host, { url: options.storage }, async (storage) => {
    const session = await namedSession(storage, host, { id: words[0], directory: options.dir })
    const { report, problem } = await reportOf(storage, session, options, host)
    const { stdout, environment } = host
    const show = shownBy(host, options.raw)
    // Without providers, the engine cannot name the problem itself.
    const { modelProblem = problem, ...facts } = {
      ...report,
      ...(problem === undefined ? {} : { modelProblem: problem }),
    }
    const told = show(modelProblem === undefined ? facts : { ...facts, modelProblem })
    if (options.format === "json") stdout.write(`${JSON.stringify(told)}\n`)
    else {
      const theme = createTheme(wantsColour(environment, stdout.isTerminal))
      const columns = stdout.isTerminal ? stdout.columns : 100
      const paper = { columns, theme, now: Date.now(), home: host.home }
      stdout.write(`${contextLines(show(session), told, paper).join("\n")}\n`)
    }
    return exitCodes.success
  })
}

/** Returns the report, with `problem` if the model cannot be used. */
async function reportOf(
  storage: Storage,
  session: Session,
  options: Options,
  host: Host,
): Promise<{ readonly report: ContextReport; readonly problem?: string }> {
  const directory = await workDirectory(host, session.directory).catch(() => host.directory)
  const settings = await readDefinedSettings(host, directory)
  const { auth, kept } = await openProviderAuth(settings, host)
  const model = await modelOf(session, options, { ...settings, kept }, host)
  const script = options.script === undefined ? undefined : resolve(host.directory, options.script)
  const { environment, demoDirectory, secrets } = host
  const { config, layers } = settings
  const reach = { baseURL: options["base-url"], keyVariable: options["api-key-env"], script }
  const loaded = await loadProviders(model, {
    ...reach,
    environment,
    demoDirectory,
    secrets,
    config,
    layers,
    auth,
    packages: installedPackages(settings, host),
  }).catch((error: unknown) => ({ providers: [], problem: explainError(error).message }))
  const report = await inspect(
    settings,
    host,
    async (inspected, early) => {
      const { options: configured } = await engineOptions(inspected.settings, host, storage)
      const current = { ...configured, model, providers: loaded.providers }
      if (!early) return await contextOf(session, { ...current, storage })
      early.update(current)
      return await early.context(session.id, { model })
    },
    { storage, hasServers: !isPure(host.environment) && hasServers(settings) },
  )
  return "problem" in loaded ? { report, problem: loaded.problem } : { report }
}

async function contextOf(
  { id }: Session,
  options: EngineOptions & { readonly model: ModelRef },
): Promise<ContextReport> {
  await using engine = await createEngine(options)
  return await engine.context(id, { model: options.model })
}

/** Returns the requested model. Default: the last one of the session. */
async function modelOf(
  session: Session,
  { model: flag, script, "base-url": baseURL }: Options,
  { config, kept }: DefinedSettings & { readonly kept: ReadonlySet<string> },
  { environment }: Host,
): Promise<ModelRef> {
  if (script !== undefined) return { providerID: REPLAY, modelID: scriptID(script) }
  if (flag === undefined && session.model) return session.model
  const hasAddress = Boolean(baseURL ?? environment["PAWL_BASE_URL"])
  return requireModel({ flag, environment, kept, session: session.model, agent: session.agent, config, hasAddress })
}

export const command = defineCommand({
  usage: ["session context [options] [id]"],
  notes: [
    "Shows the content of the session's next request, the free space in the context window, and past compactions. Nothing is " +
      "sent. Default session: the newest one of this directory.",
    "Token counts are estimates, corrected by the usage that the session's model reports. -m shows another model's window.",
  ],
  words: { min: 0, max: 1, completes: "sessions" },
  options: sessionContextOptions,
  exitCodes: done,
  examples: [
    ["pawl session context", "show what fills the window"],
    ["pawl session context --format json | jq .shares", "print JSON for a program"],
    ["pawl session context -m ollama/qwen3-coder", "check whether another model has room for it"],
  ],
  run: sessionContext,
})
