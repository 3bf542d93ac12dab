import type { RuntimeHost } from "../host.ts"
import type { Settings } from "../config/settings.ts"
import type { OpenPackages } from "@pawl/provider-registry/package-provider"

/** The packages that people have installed for providers. Nothing is imported before they are asked for. */
export function installedPackages(settings: Pick<Settings, "dataDirectory">, host: RuntimeHost): OpenPackages {
  return async () => (await import("../plugins/open-packages.ts")).openPackages(settings, host)
}
