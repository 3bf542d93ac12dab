import { library } from "../../tsup.base.ts"

export default library([
  "src/index.ts",
  "src/address.ts",
  "src/choose-model.ts",
  "src/connection.ts",
  "src/connection-sources.ts",
  "src/key-sources.ts",
  "src/known-models.ts",
  "src/load-providers.ts",
  "src/local-servers.ts",
  "src/may-cost.ts",
  "src/model-ref.ts",
  "src/package-entry.ts",
  "src/package-provider.ts",
  "src/presets.ts",
  "src/provider-kind.ts",
  "src/replay.ts",
  "src/require-model.ts",
  "src/timeouts.ts",
  "src/with-vendors.ts",
])
