// CopilotKit: the popup of its React API v2 with the stylesheet of the package, its card for calls of tools, and an AG-UI
// agent in place of its runtime.
import '@copilotkit/react-core/v2/styles.css'
import {
  CopilotKitProvider,
  CopilotPopup,
  HttpAgent,
  useConfigureSuggestions,
  useDefaultRenderTool,
  useFrontendTool,
} from '@copilotkit/react-core/v2'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'

const { endpoint, texts, call } = globalThis.looks

const agents = { default: new HttpAgent({ url: `${endpoint}/ag-ui` }) }

function Assistant() {
  useDefaultRenderTool()
  useConfigureSuggestions({
    available: 'before-first-message',
    suggestions: texts.suggestions.map((text) => ({ title: text, message: text })),
  })
  useFrontendTool({
    name: 'find_orders',
    description: 'Returns the orders of a customer.',
    parameters: z.object({ customer: z.string(), status: z.string() }),
    handler: call,
  })
  return <CopilotPopup defaultOpen labels={{ modalHeaderTitle: texts.shop, welcomeMessageText: texts.greeting }} />
}

const place = document.createElement('div')
document.body.append(place)
createRoot(place).render(
  <CopilotKitProvider selfManagedAgents={agents} enableInspector={false}>
    <Assistant />
  </CopilotKitProvider>,
)
