import { extname } from "node:path"

const isSource = extname(import.meta.url) === ".ts"

/** The archive of the kit, which the build makes. */
export const kitArchive = new URL(`${isSource ? "../../dist" : "."}/kit/pawl-plugin.tgz`, import.meta.url)
