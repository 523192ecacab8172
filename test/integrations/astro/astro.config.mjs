export default { devToolbar: { enabled: false }, vite: { optimizeDeps: { exclude: ['tool-agent'] } } }
