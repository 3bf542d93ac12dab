import { library } from "../../tsup.base.ts"

export default library(["src/index.ts", "src/local-server.ts", "src/with-longer-limits.ts"])
