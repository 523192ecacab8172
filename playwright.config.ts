import { defineConfig } from 'playwright/test'

export default defineConfig({
  testDir: 'test',
  forbidOnly: Boolean(process.env['CI']),
  retries: 0,
  projects: [
    { name: 'node', testDir: 'test/node' },
    { name: 'chromium', testDir: 'test/browser', use: { browserName: 'chromium', launchOptions: { executablePath: '/usr/bin/chromium' } } },
  ],
})
