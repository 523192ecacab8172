// The client that the conformance suite starts. It passes the address of the scenario's server to the test, which lets
// an agent use it, and ends as the test says.
const [, , test, server] = process.argv
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}')
const response = await fetch(test ?? '', { method: 'POST', body: JSON.stringify({ server, context }) })
console.error(await response.text())
process.exitCode = response.ok ? 0 : 1
