/**
 * What a package demands that is not there, a sentence; undefined where all is well. `offered`: versions by engine, such
 * as `node`; of engines that are not offered nothing is demanded. What is no range demands nothing.
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
