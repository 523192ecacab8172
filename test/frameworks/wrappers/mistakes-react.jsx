// An app with mistakes, for React. The spec sets the props, options and tools.
import { StrictMode, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { ToolAgent, useAgent, useTool } from 'tool-agent/react'
import { app, revive, toolOf } from './mistakes-app.js'

const useApp = () => useSyncExternalStore(app.observe, () => app.state)

function One({ tool }) {
  useTool(toolOf(tool))
  return <li>{tool.by}</li>
}

function WithAgent({ options, props }) {
  const agent = useAgent({ endpoint: '/v1', model: 'm', ...revive(options) })
  app.agent = agent
  return <ToolAgent agent={agent} {...props} />
}

function App() {
  const { props, options, tools } = useApp()
  const [count, setCount] = useState(0)
  return (
    <>
      <button onClick={() => setCount(count + 1)}>count {count}</button>
      <ul>
        {tools.map((tool) => (
          <One key={tool.by} tool={tool} />
        ))}
      </ul>
      {options ? (
        <WithAgent options={options} props={revive(props)} />
      ) : (
        <ToolAgent endpoint="/v1" model="m" {...revive(props)} />
      )}
    </>
  )
}

app.start = (into) => {
  createRoot(into).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
app.begin()
