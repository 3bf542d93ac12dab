import { NotFoundError, ProviderError, type Provider } from "@pawl/core/provider"
import { readScript, replayModel, type Reply, type Script } from "@pawl/provider-replay"
import { UsageError } from "@pawl/config/usage-error"
import { ownScripts, REPLAY, type ReplaySources, scriptID } from "./replay.ts"
import { withVendors } from "./with-vendors.ts"

/** The scripts that come with pawl, and the one named for this run, as models. */
export function createReplayProvider({ script, pace = 1, demoDirectory }: ReplaySources): Provider {
  const scripts = { ...ownScripts(demoDirectory), ...(script === undefined ? {} : { [scriptID(script)]: script }) }
  return withVendors({
    id: REPLAY,
    name: "Replay",
    async models() {
      const models = await Promise.all(Object.keys(scripts).map((id) => load(id)))
      return models.map(({ info }) => info)
    },
    model: load,
  })

  async function load(modelID: string) {
    const path = Object.hasOwn(scripts, modelID) ? scripts[modelID] : undefined
    if (path === undefined) {
      const known = Object.keys(scripts).join(", ")
      throw new NotFoundError(
        `There is no script "${modelID}". Known: ${known}. Another one is named with --script <file>.`,
      )
    }
    const read = atPace(await readScript(path, demoDirectory).catch(explain), pace)
    return replayModel(read, { providerID: REPLAY, modelID })
  }
}

/** A file that cannot be read is the command line's mistake; what is wrong in it the error says itself. */
function explain(error: unknown): never {
  throw error instanceof ProviderError ? new UsageError(error.message) : error
}

/** The script played `factor` times as slowly. */
function atPace(script: Script, factor: number): Script {
  const speed = script.header.pace?.charactersPerSecond ?? 0
  const charactersPerSecond = factor > 0 ? speed / factor : 0
  const replies = script.replies.map((reply): Reply =>
    reply.map((step) => (step.type === "wait" ? { ...step, milliseconds: step.milliseconds * factor } : step)),
  )
  return { ...script, header: { ...script.header, pace: { charactersPerSecond } }, replies }
}
