import type { RuntimeHost } from "../host.ts"
import type { Settings } from "../config/settings.ts"
import type { OpenPackages } from "@pawl/provider-registry/package-provider"

/** Opens the packages that the user has installed for providers. Imports nothing before the first call. */
export function installedPackages(settings: Pick<Settings, "dataDirectory">, host: RuntimeHost): OpenPackages {
  return async () => (await import("../plugins/open-packages.ts")).openPackages(settings, host)
}
