import { useAgent, useToolRenderer, type ToolCallProps } from 'tool-agent/react'

type Found = ToolCallProps<{ query: string }, { id: number; product: string }[]>

function Orders({ state, output }: Found) {
  if (state !== 'done') return <p>Looking …</p>
  return (
    <ul style={{ padding: 0, listStyle: 'none' }}>
      {output.map(({ id, product }) => (
        <li key={id}>{product}</li>
      ))}
    </ul>
  )
}

export function Cards() {
  return <>{useToolRenderer(useAgent(), 'find_orders', Orders)}</>
}
