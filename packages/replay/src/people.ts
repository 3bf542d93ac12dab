import { homedir, userInfo } from "node:os"

/** Names that do not identify a person. */
const COMMON = new Set([
  "root",
  "user",
  "users",
  "home",
  "admin",
  "node",
  "runner",
  "ubuntu",
  "debian",
  "docker",
  "build",
  "test",
  "pawl",
])
const MIN_NAME_LENGTH = 3
const ADDRESS = /(?<![\w.+-])[\w.+-]{1,64}@(?<host>[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})/g
/** Matches hosts for examples and placeholders, which do not identify a person. */
const NOBODY = /(?:^|\.)(?:example\.(?:com|org|net|invalid)|invalid|localhost|users\.noreply\.github\.com)$/i

/** Returns the user names in home directory paths, and the name of the current user. */
export function userNames(paths: readonly string[]): string[] {
  const found = paths.flatMap((path) => /(?:^|[\\/])(?:home|Users)[\\/]+([^\\/]+)/.exec(path)?.[1] ?? [])
  return [...new Set([...found, lastOf(homedir()), ownName()])].filter((name) => {
    return name.length >= MIN_NAME_LENGTH && !COMMON.has(name.toLowerCase())
  })
}

/** Replaces each address by `personN@example.invalid`, always by the same one, and names of users by `user`. */
export function createPeopleMask(names: readonly string[], count: (kind: string) => void): (text: string) => string {
  const people = new Map<string, string>()
  const words = names.map(
    (name) => new RegExp(`(?<![\\w-])${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?![\\w-])`, "g"),
  )
  return (text) => {
    const withoutMail = text.replaceAll(ADDRESS, (address: string, host: string) => {
      if (NOBODY.test(host)) return address
      count("email")
      const known = people.get(address.toLowerCase()) ?? `person${people.size + 1}@example.invalid`
      people.set(address.toLowerCase(), known)
      return known
    })
    return words.reduce((result, word) => {
      return result.replaceAll(word, () => {
        count("user")
        return "user"
      })
    }, withoutMail)
  }
}

function ownName(): string {
  try {
    return userInfo().username
  } catch {
    return ""
  }
}

function lastOf(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? ""
}
