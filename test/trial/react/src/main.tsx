import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App'

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <App model={{ endpoint: 'http://127.0.0.1:8790/v1', model: 'gpt-5-mini' }} />
  </StrictMode>,
)
