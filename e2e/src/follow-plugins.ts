import type { Engine } from "@pawl/core"
import { type PluginLoader, type PluginSpec, watchSources } from "@pawl/plugin-loader"

export interface FollowOptions {
  readonly engine: Engine
  readonly loader: PluginLoader
  readonly specs: readonly PluginSpec[]
  /** Absolute: what the plugins are made of. */
  readonly files: readonly string[]
  /** Told after each reload, with what went wrong in it. */
  readonly onReload: (problems: readonly string[]) => void
}

/** Has an engine work with what its plugins' files become. The returned function ends it. */
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
