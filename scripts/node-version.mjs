// Every command checks the Node version first. An old Node would fail later, with an error that does not name the cause.

const wanted = { major: 20, minor: 19 }

export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > wanted.major || (major === wanted.major && minor >= wanted.minor)) return
  process.stderr.write(
    `This project needs Node ${wanted.major}.${wanted.minor} or newer; this is ${process.versions.node}.\n`,
  )
  process.exit(1)
}
