import type { ToolPath } from "../tool-paths.ts"

export type EditedFile = Pick<ToolPath, "shown" | "target">
