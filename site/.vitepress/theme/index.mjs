// The default theme of VitePress without its web fonts, with our colours, the home page and the addresses that moved.
import DefaultTheme from 'vitepress/theme-without-fonts'
import moved from '../../moved.json'
import Home from './Home.vue'
import './style.css'

/** Goes on to where a page or a section of an older site is now. */
function followMoved(/** @type {string} */ base) {
  const address = location.pathname.slice(base.length) || 'index.html'
  const target = moved[address + location.hash] ?? moved[address]
  if (target !== undefined) location.replace(base + target)
}

export default {
  extends: DefaultTheme,
  /** @param {import('vitepress').EnhanceAppContext} context */
  enhanceApp({ app, siteData }) {
    app.component('Home', Home)
    if (!import.meta.env.SSR) followMoved(siteData.value.base)
  },
}
