import { join } from "node:path"
import type { OwnerFiles, ProcessGuard } from "@pawl/process-guard"
import type { RuntimeHost } from "../host.ts"
import type { Settings } from "./settings.ts"

export interface SettledGuard {
  readonly guardian: ProcessGuard
  /** Files in which processes of this data directory report that they may leave children behind. */
  readonly owners: OwnerFiles
}

/** Returns the guard of this process after applying the settings to it. */
export async function settledGuard(
  { config, dataDirectory }: Pick<Settings, "config" | "dataDirectory">,
  { guard }: Pick<RuntimeHost, "guard">,
): Promise<SettledGuard> {
  const [{ createOwnerFiles, DEFAULT_GRACE }, guardian] = await Promise.all([import("@pawl/process-guard"), guard()])
  const owners = createOwnerFiles(join(dataDirectory, "processes"))
  guardian.setGrace(config.deadlines?.abort_ms ?? DEFAULT_GRACE)
  guardian.keepFile(owners)
  return { guardian, owners }
}
