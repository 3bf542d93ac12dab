/**
 * Files that hold secrets by custom: a search through a directory leaves them out, since it asks about the directory
 * alone, while `read` asks for each of them.
 */
export function isGuardedFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  return /\.env(?:$|\.)/.test(name) && !name.endsWith(".env.example")
}
