// An app with `tool-agent/react`. The spec changes its state with `app.set()`. Each route has an assistant of its own, so
// that a route change unmounts one and mounts another.
import { StrictMode, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server.browser'
import { ToolAgent, useAgent, useTool } from 'tool-agent/react'
import { application } from './wrapper-app.js'

const app = application()
const useApp = () =>
  useSyncExternalStore(
    app.observe,
    () => app.state,
    () => app.state,
  )

function Search() {
  const state = useApp()
  const [count, setCount] = useState(0)
  useTool({
    name: 'search',
    description: state.description,
    inputSchema: { type: 'object', properties: { [state.field]: { type: 'string' } } },
    annotations: { readOnlyHint: true },
    execute: (input) => {
      app.ran.push(`${Object.values(input)} ${count}`)
      return count
    },
  })
  return <button onClick={() => setCount(count + 1)}>count {count}</button>
}

function Page({ title }) {
  const state = useApp()
  const agent = useAgent({ endpoint: '/v1', model: 'm', instructions: state.instructions, scope: state.scope })
  app.agent = agent
  return (
    <>
      <h1>{title}</h1>
      <ToolAgent
        agent={state.isLate ? undefined : agent}
        ref={app.ref}
        className="assistant"
        heading={title}
        words={{ greeting: state.greeting }}
        onToolAgentTurnEnd={({ reason }) => app.ran.push(`${title} ${reason}`)}
      />
      {state.hasTool && <Search />}
    </>
  )
}

function Alone() {
  return (
    <>
      <Search />
      <ToolAgent endpoint="/v1" model="m" pageTools="read" open={false} layout="floating" />
    </>
  )
}

function App() {
  const { route } = useApp()
  if (route === 'alone') return <Alone />
  return route === 'home' ? <Page key="home" title="Home" /> : <Page key="orders" title="Orders" />
}

app.render = () => renderToString(<App />)
app.start = (into) => {
  const root = createRoot(into)
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  app.unmount = () => root.unmount()
}
app.begin()
