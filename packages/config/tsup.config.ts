import { library } from "../../tsup.base.ts"

export default library(["src/index.ts", "src/colors.ts", "src/hide-passwords.ts", "src/suggestion.ts"])
