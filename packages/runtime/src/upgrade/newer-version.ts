/** Returns true if a version is newer than another. False for versions with a suffix and for invalid ones. */
export function isNewer(found: string, own: string): boolean {
  const [a, b] = [numbers(found), numbers(own)]
  if (!a || !b) return false
  const at = a.findIndex((number, index) => number !== b[index])
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0)
}

function numbers(version: string): readonly number[] | undefined {
  const found = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(version)
  return found?.slice(1).map(Number)
}
