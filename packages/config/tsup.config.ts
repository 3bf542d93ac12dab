import { library } from "../../tsup.base.ts"

export default library([
  "src/index.ts",
  "src/colors.ts",
  "src/config-paths.ts",
  "src/error-message.ts",
  "src/hide-passwords.ts",
  "src/layer.ts",
  "src/suggestion.ts",
  "src/usage-error.ts",
])
