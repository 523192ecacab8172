// An app that shows the state of its agent and draws the calls of a tool, for React.
import { StrictMode, createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server.browser'
import { ToolAgent, useAgent, useAgentState, useTool, useToolRenderer } from 'tool-agent/react'
import { app, find } from './state-app.js'

const Currency = createContext('none')

function Tasks({ agent }) {
  const { todos, status } = useAgentState(agent, ({ todos, status }) => ({ todos, status }))
  const messages = useAgentState(agent, (agent) => agent.messages.length)
  const questions = useAgentState(agent, (agent) => agent.questions)
  app.renders += 1
  return (
    <section aria-label="State">
      {status}, {messages} messages, {questions.length} questions
      {todos.map(({ text, status }) => (
        <p key={text}>
          {text}: {status}
        </p>
      ))}
      {questions.map(({ call }) => (
        <button key={call.id} onClick={() => agent.approve(call.id)}>
          Allow {call.name}
        </button>
      ))}
    </section>
  )
}

function Products({ input, state, output = [] }) {
  const currency = useContext(Currency)
  const [count, setCount] = useState(0)
  useEffect(() => {
    app.cards += 1
    return () => {
      app.cards -= 1
    }
  }, [])
  if (output.includes('broken')) throw new Error('no such product')
  return (
    <button onClick={() => setCount(count + 1)}>
      {input.query} in {currency}: {state} {output.join(', ')} {count}
    </button>
  )
}

function Cards({ agent }) {
  const cards = useToolRenderer(agent, 'find', Products)
  const { isForgotten } = useSyncExternalStore(
    app.observe,
    () => app.state,
    () => app.state,
  )
  return isForgotten ? null : cards
}

function App() {
  const { hasCards, isShown } = useSyncExternalStore(
    app.observe,
    () => app.state,
    () => app.state,
  )
  const agent = useAgent({ endpoint: '/v1', model: 'm' })
  useTool(find)
  app.agent = agent
  return (
    <>
      <h1>State</h1>
      {isShown && <Tasks agent={agent} />}
      <Currency value="euros">{hasCards && <Cards agent={agent} />}</Currency>
      <ToolAgent agent={agent} />
    </>
  )
}

app.render = () => renderToString(<App />)
app.start = (into) => {
  createRoot(into).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
app.begin()
