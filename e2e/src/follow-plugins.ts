import type { Engine } from "@pawl/core"
import { type PluginLoader, type PluginSpec, watchSources } from "@pawl/plugin-loader"

export interface FollowOptions {
  readonly engine: Engine
  readonly loader: PluginLoader
  readonly specs: readonly PluginSpec[]
  /** Absolute paths of the plugins' files. */
  readonly files: readonly string[]
  /** Called after each reload with its problems. */
  readonly onReload: (problems: readonly string[]) => void
}

/** Reloads the plugins of an engine when their files change. The returned function stops that. */
export async function followPlugins(options: FollowOptions): Promise<() => Promise<void>> {
  const { engine, loader, specs, onReload } = options
  let work = Promise.resolve()

  async function reload(): Promise<void> {
    const { entries, problems } = await loader.load({ specs })
    const failed = await engine.plugins.set(entries)
    onReload([...problems, ...failed].map(({ message }) => message))
  }

  const sources = options.files.map((path) => ({ path, kind: "plugin" }))
  const watch = await watchSources(sources, {
    quiet: 5,
    onChange: () => void (work = work.then(reload)),
    onError: ({ message }) => onReload([message]),
  })
  return async () => {
    await watch.close()
    await work
  }
}
