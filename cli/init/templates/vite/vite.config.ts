import { defineConfig } from 'vite'
import { assistantRelay } from './assistant-relay'

export default defineConfig({ plugins: [assistantRelay()] })
