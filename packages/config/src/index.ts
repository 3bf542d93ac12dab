export { ConfigError, type ConfigProblem } from "./config-error.ts"
export { projectDirectories } from "./project-directories.ts"
export { configPaths, type ConfigPathOptions, type ConfigPaths } from "./config-paths.ts"
export { readConfig, type LoadedConfig } from "./read-config.ts"
export type { ReadConfigOptions } from "./options.ts"
export { type ConfigLayer, mergeLayers } from "./merge.ts"
export { checkedLayer } from "./checked-layer.ts"
export { organizationLayer, type OrganizationSource } from "./organization-layer.ts"
export { configFiles, openCodeFiles } from "./find-sources.ts"
export type { LeftOut } from "./left-out.ts"
export { documentValue, editDocument, mergeIntoDocument } from "./edit-document.ts"
export { type ProposedFile, readUserConfig, userConfigFile, type UserConfigOptions } from "./user-config.ts"
export { isPluginPath, pluginName, withoutScheme } from "./plugin-name.ts"
export { jsonSchema } from "./json-schema.ts"
export { permissionRules, type LocatedRule } from "./permission-rules.ts"
export type { Position } from "./finding.ts"
export { formatKeyPath, type KeyPath, valueAt } from "./key-path.ts"
export type {
  AgentConfig,
  CommandConfig,
  Config,
  DelegationConfig,
  McpServerConfig,
  ModelConfig,
  PermissionConfig,
  ProviderConfig,
} from "./schema.ts"
export { readDefinitions } from "./definitions/read-definitions.ts"
export { definitionFolders, type DefinitionFolder } from "./definitions/places.ts"
export type { ReadDefinitionsOptions } from "./definitions/options.ts"
export type {
  AgentDefinition,
  CommandDefinition,
  Definition,
  DefinitionProblem,
  Definitions,
  PluginFile,
  SkillDefinition,
  ToolFile,
} from "./definitions/definition.ts"
export type { ConfigOverrides, Env, LayerKind, TextSourceKind } from "./source.ts"
export { expandTemplate, type TemplatePiece } from "./template/expand-template.ts"
export { TemplateError } from "./template/shell-command.ts"
