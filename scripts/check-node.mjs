// The workspace needs node:sqlite. A tree installed with a newer Node and run with an older one lacks the Node from npm.
const [major, minor] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 22)) {
  console.error(
    `pawl needs Node 22.22 or newer, this is ${process.versions.node}. Install the one the workspace brings: npx -y pnpm@12 install --force`,
  )
  process.exit(1)
}
