/**
 * Returns a sentence about an unfulfilled requirement of a package; undefined if all are fulfilled. `offered` has
 * versions by engine, such as `node`. Unknown engines and invalid ranges are ignored.
 */
export async function engineMismatch(
  engines: Readonly<Record<string, string>> | undefined,
  offered: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const demanded = Object.entries(engines ?? {}).filter(([engine]) => Object.hasOwn(offered, engine))
  if (demanded.length === 0) return undefined
  const { default: semver } = await import("semver")
  for (const [engine, range] of demanded) {
    const version = offered[engine]
    if (version === undefined || semver.validRange(range) === null) continue
    if (!semver.satisfies(version, range, { includePrerelease: true })) {
      return `It needs ${engine} ${range}; here is ${version}. Choose another version of it.`
    }
  }
  return undefined
}
