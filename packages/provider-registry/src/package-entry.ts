import { pathToFileURL } from "node:url"
import type { CreateSDK } from "@pawl/provider-http"
import { UsageError } from "@pawl/config/usage-error"

/** The file that a provider's package begins with. */
export interface PackageEntry {
  /** As it is written. */
  readonly npm: string
  /** Id of the provider. */
  readonly id: string
  /** Absolute. */
  readonly file: string
  /** Version that npm has installed. */
  readonly version?: string
}

/** Milliseconds that a package may take to be loaded. */
const TIMEOUT_MS = 30_000

/** Imports a package and returns the function that creates a provider. Throws UsageError if it is missing or takes too long. */
export async function loadPackage({ npm, id, file }: PackageEntry, timeoutMs = TIMEOUT_MS): Promise<CreateSDK> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`it takes longer than ${timeoutMs / 1000} s.`)), timeoutMs)
  const names: unknown = await Promise.race([import(pathToFileURL(file).href), late.promise])
    .catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : typeof cause === "string" ? cause : typeof cause
      throw new UsageError(`The package ${npm} of provider "${id}" cannot be loaded: ${reason}`)
    })
    .finally(() => clearTimeout(timer))
  const create = creatorIn(names as Readonly<Record<string, unknown>>, npm)
  if (create) return create
  throw new UsageError(
    `The package ${npm} of provider "${id}" has no function create…: it is not a provider of the AI SDK.`,
  )
}

/** The specification that the package's models have; undefined where it tells none without being configured. */
export function packageVersion(create: CreateSDK, id: string): string | undefined {
  try {
    const model = create({ name: id, apiKey: "none", baseURL: "http://127.0.0.1:9/v1" }).languageModel("any")
    const isModel = typeof model === "object" && model !== null && "specificationVersion" in model
    return isModel ? String(model.specificationVersion) : undefined
  } catch {
    return undefined
  }
}

/** `createXai` of `@ai-sdk/xai`, else the first in the order of names. */
function creatorIn(names: Readonly<Record<string, unknown>>, npm: string): CreateSDK | undefined {
  const wanted = npm
    .replace(/(?<=.)@[^/]*$/, "")
    .replace(/^.*\//, "")
    .replaceAll(/[^a-z0-9]/gi, "")
  const found = Object.keys(names)
    .filter((name) => /^create[A-Z]/.test(name) && typeof names[name] === "function")
    .toSorted()
  const name = found.find((each) => each.toLowerCase() === `create${wanted}`.toLowerCase()) ?? found[0]
  return name === undefined ? undefined : (names[name] as CreateSDK)
}
