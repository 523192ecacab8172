// An app with `tool-agent/vue`, the same as that of wrapper-react.jsx.
import { createSSRApp, createApp, defineComponent, h, ref, shallowRef, watchEffect } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { ToolAgent, useAgent, useTool } from 'tool-agent/vue'
import { application } from './wrapper-app.js'

const app = application()
const state = shallowRef(app.state)
app.observe(() => {
  state.value = app.state
})

const Search = defineComponent({
  setup() {
    const count = ref(0)
    useTool(() => {
      const shown = count.value
      return {
        name: 'search',
        description: state.value.description,
        inputSchema: { type: 'object', properties: { [state.value.field]: { type: 'string' } } },
        annotations: { readOnlyHint: true },
        execute: (input) => {
          app.ran.push(`${Object.values(input)} ${shown}`)
          return shown
        },
      }
    })
    return () => h('button', { onClick: () => (count.value += 1) }, `count ${count.value}`)
  },
})

const Page = defineComponent({
  props: { title: String },
  setup(props) {
    const agent = useAgent(() => ({
      endpoint: '/v1',
      model: 'm',
      instructions: state.value.instructions,
      scope: state.value.scope,
    }))
    watchEffect(() => {
      app.agent = agent.value
    })
    return () => [
      h('h1', props.title),
      h(ToolAgent, {
        ref: (exposed) => app.ref(exposed?.element ?? null),
        agent: state.value.isLate ? undefined : agent.value,
        class: 'assistant',
        heading: props.title,
        words: { greeting: state.value.greeting },
        onToolAgentTurnEnd: ({ reason }) => app.ran.push(`${props.title} ${reason}`),
      }),
      state.value.hasTool ? h(Search) : null,
    ]
  },
})

const Alone = () => [
  h(Search),
  h(ToolAgent, { endpoint: '/v1', model: 'm', 'page-tools': 'read', open: false, layout: 'floating' }),
]

const App = () => {
  const { route } = state.value
  if (route === 'alone') return h(Alone)
  return route === 'home' ? h(Page, { key: 'home', title: 'Home' }) : h(Page, { key: 'orders', title: 'Orders' })
}

app.render = () => renderToString(createSSRApp(App))
app.start = (into) => {
  const made = createApp(App)
  made.mount(into)
  app.unmount = () => made.unmount()
}
app.begin()
