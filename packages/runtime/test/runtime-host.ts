import type { RuntimeHost } from "../src/host.ts"
import { processHost } from "../src/process-host.ts"

/** Returns a host with an environment of its own, in a directory that does not exist. */
export function runtimeHost(changes: Partial<RuntimeHost> = {}): RuntimeHost {
  return processHost({ directory: "/nowhere", home: undefined, environment: {}, ...changes })
}
