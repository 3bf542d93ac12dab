import { extname } from "node:path"

const isSource = extname(import.meta.url) === ".ts"

/** Archive of the plugin kit, created by the build. */
export const kitArchive = new URL(`${isSource ? "../../dist" : "."}/kit/pawl-plugin.tgz`, import.meta.url)
