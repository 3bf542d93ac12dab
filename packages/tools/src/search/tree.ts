import { displayName } from "../display-name.ts"

/** Formats file paths with `/` as an indented tree. A directory ends with `/` and precedes its files. */
export function tree(paths: readonly string[]): string {
  const lines: string[] = []
  let open: readonly string[] = []
  for (const path of paths) {
    const names = path.split("/")
    const directories = names.slice(0, -1)
    let depth = 0
    while (depth < directories.length && open[depth] === directories[depth]) depth++
    for (const [index, name] of directories.entries()) {
      if (index >= depth) lines.push(line(index, `${displayName(name)}/`))
    }
    lines.push(line(directories.length, displayName(names.at(-1) ?? "")))
    open = directories
  }
  return lines.join("\n")
}

function line(depth: number, name: string): string {
  return "  ".repeat(depth + 1) + name
}
