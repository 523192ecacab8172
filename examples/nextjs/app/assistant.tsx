'use client'
import { ToolAgent, useAgent } from 'tool-agent/react'

export function Assistant() {
  const agent = useAgent({
    endpoint: process.env.NEXT_PUBLIC_ENDPOINT ?? 'http://127.0.0.1:8790/v1',
    model: process.env.NEXT_PUBLIC_MODEL ?? 'gpt-5-mini',
  })
  return <ToolAgent agent={agent} pageTools="read fill" heading="Help" />
}
