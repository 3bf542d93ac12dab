import { MIN_SIDE_BY_SIDE_COLUMNS } from "@pawl/terminal-text/side-by-side"

/** Form of differences. `auto`: side by side if the terminal is wide enough. */
export type DiffForm = "auto" | "inline" | "side-by-side"

/** Each side needs some words. */
const MIN_COLUMNS = 60

/** Returns true if the old text is shown beside the new one. */
export function isSideBySide(form: DiffForm | undefined, columns: number): boolean {
  const isChosen = form === "side-by-side"
  return form !== "inline" && columns >= (isChosen ? MIN_COLUMNS : MIN_SIDE_BY_SIDE_COLUMNS)
}
