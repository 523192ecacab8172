import { defineConfig } from 'vite'

const shop = 'http://127.0.0.1:8787'
export default defineConfig({ server: { proxy: { '/models': shop, '/login': shop, '/api': shop } } })
