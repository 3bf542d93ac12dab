import { library } from "../../tsup.base.ts"

export default library(["src/index.ts", "src/opencode/shapes.ts", "src/unfinished.ts"])
