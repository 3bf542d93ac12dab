import { type ClientConfig, type CustomTypesConfig, types } from "pg"
import type { Location } from "./location.ts"
import type { PostgresStorageOptions } from "./options.ts"

const CONNECT_TIMEOUT_MS = 10_000

/** Connection options, for the pool and for the listener. */
export function clientConfig({ url }: Location, { applicationName = "pawl" }: PostgresStorageOptions): ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser: typeParser },
  }
}

const BIGINT = types.builtins.INT8

/** Parses counters as numbers, since they stay below 2^53. */
const typeParser: CustomTypesConfig["getTypeParser"] = (type, format): unknown => {
  return type === BIGINT && format !== "binary" ? Number : types.getTypeParser(type, format)
}
