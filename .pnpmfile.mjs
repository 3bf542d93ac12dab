// Node 24 comes from npm only where the machine's own Node is too old for node:sqlite, and only for this platform.
// The other engine ranges are dropped: they are checked against the machine's Node, not the one that runs the scripts.
export const hooks = {
  readPackage(pkg) {
    const [, os, cpu] = /^node-(linux|win)-(x64|arm64)$/.exec(pkg.name) ?? []
    // Its own version is in the range because npx puts this workspace's Node first on the PATH of later installs.
    const engines = { node: `<22.22.0 || ${pkg.version}` }
    if (os) Object.assign(pkg, { engines, os: [os === "win" ? "win32" : os], cpu: [cpu] })
    else if (pkg.engines?.node) delete pkg.engines.node
    return pkg
  },
}
