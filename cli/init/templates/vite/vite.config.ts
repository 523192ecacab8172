import { defineConfig } from 'vite'
import { assistantRelay } from '{relay}'

export default defineConfig({ plugins: [assistantRelay()] })
