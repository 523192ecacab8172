// What the apps for mistakes of page authors share: the props and options that the spec sets, and whether the app lives.
import { application } from './wrapper-app.js'

export const app = application()
Object.assign(app.state, { props: {}, options: undefined, tools: [], errors: [] })
app.heard = []
if (typeof document === 'object')
  document.addEventListener('tool-agent-error', ({ error }) => app.heard.push(`${error.code}: ${error.message}`))

/** JSON cannot hold a function, so the spec names it. */
export const revive = (value) => {
  if (value === 'function') return () => 1
  if (Array.isArray(value)) return value.map(revive)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, revive(one)]))
}
/** A tool of the spec. A call says which component answered. */
export const toolOf = ({ by, ...tool }) => ({
  name: 'find',
  description: `Finds things for the visitor, by ${by}.`,
  execute: () => by,
  ...tool,
})
