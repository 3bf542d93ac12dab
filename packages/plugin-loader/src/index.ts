export { type PluginAdapter, type PluginOrigin, pawlAdapter } from "./adapter.ts"
export {
  createPluginLoader,
  type LoadedPlugins,
  type LoadRequest,
  type PluginLoader,
  type PluginLoaderOptions,
} from "./plugin-loader.ts"
export { type PluginLoadProblem } from "./problem.ts"
export { fileEntry, installedEntry, type PluginFile } from "./spec/entry.ts"
export { type PluginSpec } from "./spec/plugin-spec.ts"
export { type InstalledPackage, type PackageCache } from "./install/package-cache.ts"
export { type InstallRecord } from "./install/record.ts"
export { createModules, type Imported, type ImportOptions, type Modules } from "./modules/modules.ts"
export { type ModuleNames } from "./modules/resolution.ts"
export { type ImportProblem } from "./modules/import-problem.ts"
export { type SourceChange, type SourceWatch, type WatchedSource, watchSources } from "./watch/watch-sources.ts"
