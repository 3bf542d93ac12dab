// Node 24 comes from npm only where the machine's own Node is too old for node:sqlite.
// The other engine ranges are dropped: they are checked against the machine's Node, not the one that runs the scripts.
export const hooks = {
  readPackage(pkg) {
    if (/^node-(bin-)?(linux|darwin|win)-/.test(pkg.name)) pkg.engines = { node: "<22.22.0" }
    else if (pkg.engines?.node) delete pkg.engines.node
    return pkg
  },
}
