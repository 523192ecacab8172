export default defineNuxtConfig({
  compatibilityDate: '2025-07-15',
  devtools: { enabled: false },
  telemetry: false,
  runtimeConfig: { public: { endpoint: 'http://localhost:11434/v1' } },
  app: { head: { link: [{ rel: 'icon', href: 'data:,' }] } },
})
