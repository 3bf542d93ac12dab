import { library } from "../../tsup.base.ts"

export default library([
  "src/index.ts",
  "src/config-effects.ts",
  "src/content-effects.ts",
  "src/decide-trust.ts",
  "src/project-content.ts",
  "src/require-unchanged.ts",
  "src/trust-of.ts",
  "src/trust-store.ts",
  "src/without-untrusted.ts",
])
