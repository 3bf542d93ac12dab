import {
  type ConfigLayer,
  formatKeyPath,
  type KeyPath,
  mergeIntoDocument,
  mergeLayers,
  readUserConfig,
  userConfigFile,
  type UserConfigOptions,
} from "@pawl/config"
import { errorMessage } from "@pawl/config/error-message"
import { UsageError } from "@pawl/config/usage-error"
import { LockBusyError } from "@pawl/process-lock"
import { holdsRemoved, maskedStrings, type Secrets } from "@pawl/secrets"
import type { ConfigRefusal, ServerUserConfig } from "@pawl/server"
import type { RuntimeHost } from "../host.ts"
import { changeConfigFile } from "./config-file.ts"
import { rememberSecrets } from "./known-secrets.ts"

const HIDDEN =
  "holds the placeholder of a hidden value, which would replace the value itself. Nothing was written. Leave it out, or send the value."

/** Codes of the system for a file that may not be written. */
const NOT_WRITABLE = new Set<unknown>(["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"])

/** Reads and changes the files of the user's own configuration, for clients of a server. */
export function createUserConfig({
  environment: env,
  home,
  secrets,
}: Pick<RuntimeHost, "environment" | "home" | "secrets">): ServerUserConfig {
  const options = { env, home }
  return {
    async read() {
      try {
        return await shownConfig(options, secrets)
      } catch (error) {
        return refusalOf(error, secrets)
      }
    },
    async merge(part) {
      const [hidden] = hiddenPlaces(part, [])
      if (hidden) return { refusal: `${formatKeyPath(hidden)} ${HIDDEN}` }
      try {
        await mergeIntoUserConfig(part, options)
        return undefined
      } catch (error) {
        return refusalOf(error, secrets)
      }
    },
  }
}

/** Shows references as they are written, so that a client which sends one back does not replace it by its value. */
async function shownConfig(options: UserConfigOptions, secrets: Secrets): Promise<object> {
  const layers = await readUserConfig(options)
  for (const { config } of layers) rememberSecrets(config, secrets)
  const { config } = mergeLayers(layers.map((layer) => ({ ...layer, config: layer.written ?? layer.config })))
  return maskedStrings(config, (text) => secrets.mask(text))
}

/** Validates the result before it is written. */
async function mergeIntoUserConfig(part: Readonly<Record<string, unknown>>, options: UserConfigOptions): Promise<void> {
  // A broken link, a pipe or a text with an error is reported before anything is opened for writing.
  await readUserConfig(options)
  const file = await userConfigFile(options)
  const change = async (text: string) => {
    const before = await readUserConfig(options, { file, text })
    const changed = await mergeIntoDocument(text, part)
    const after = await readUserConfig(options, { file, text: changed })
    const known = new Set(ignoredKeys(before, file).map(({ key }) => key))
    const ignored = ignoredKeys(after, file).find(({ key }) => !known.has(key))
    if (ignored) {
      const { key, reason = "pawl has no such key" } = ignored
      throw new UsageError(`${key} would have no effect: ${reason}. Nothing was written.`)
    }
    return changed
  }
  await changeConfigFile(file, change, { mode: 0o600 })
}

/** Only OpenCode's files may have such keys. */
function ignoredKeys(layers: readonly ConfigLayer[], file: string): ConfigLayer["leftOut"] {
  return layers.find(({ source }) => source === file)?.leftOut ?? []
}

function hiddenPlaces(value: unknown, path: KeyPath): KeyPath[] {
  if (typeof value === "string") return holdsRemoved(value) ? [path] : []
  if (Array.isArray(value)) return value.flatMap((item, index) => hiddenPlaces(item, [...path, index]))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => hiddenPlaces(child, [...path, key]))
}

/** Returns the reason of a failure that the user can remove. Throws all others again. */
function refusalOf(error: unknown, secrets: Secrets): ConfigRefusal {
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown }
  const isExpected =
    name === "ConfigError" ||
    error instanceof UsageError ||
    error instanceof RangeError ||
    error instanceof LockBusyError ||
    NOT_WRITABLE.has(code)
  if (!isExpected) throw error
  const hint = error instanceof UsageError && error.hint !== undefined ? ` ${error.hint}` : ""
  return { refusal: secrets.mask(`${errorMessage(error)}${hint}`) }
}
