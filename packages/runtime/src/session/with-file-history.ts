import type { Engine } from "@pawl/core"
import type { Storage } from "@pawl/core/storage"
import { createFileHistory } from "@pawl/undo"
import type { RuntimeHost } from "../host.ts"
import type { DataLocations } from "../config/settings.ts"
import { historyDirectory } from "../history-directory.ts"
import { withEngine } from "./with-engine.ts"

/** Like `withEngine`, with an engine that shows and restores files. */
export async function withFileHistory<T>(
  host: Pick<RuntimeHost, "environment">,
  storage: Storage,
  locations: Pick<DataLocations, "dataDirectory">,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const fileHistory = createFileHistory({ directory: historyDirectory(locations), environment: host.environment })
  try {
    return await withEngine(storage, work, { fileHistory })
  } finally {
    await fileHistory.close()
  }
}
