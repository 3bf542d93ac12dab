import { library } from "../../tsup.base.ts"
import manifest from "./package.json" with { type: "json" }

export default library(Object.values(manifest.exports).map((entry) => entry["@pawl/source"]))
