'use client'
import { ToolAgent, useAgent } from 'tool-agent/react'

export function Assistant() {
  const agent = useAgent({
    endpoint: process.env.NEXT_PUBLIC_ENDPOINT ?? 'http://localhost:11434/v1',
    model: process.env.NEXT_PUBLIC_MODEL ?? 'qwen3',
  })
  return <ToolAgent agent={agent} pageTools="read fill" heading="Help" />
}
