// An app with mistakes, for Vue, the same as that of mistakes-react.jsx.
import { createApp, defineComponent, h, ref, shallowRef, watchEffect } from 'vue'
import { ToolAgent, useAgent, useTool } from 'tool-agent/vue'
import { app, revive, toolOf } from './mistakes-app.js'

const state = shallowRef(app.state)
app.observe(() => {
  state.value = app.state
})

const One = defineComponent({
  props: { tool: Object },
  setup(props) {
    useTool(() => toolOf(props.tool))
    return () => h('li', props.tool.by)
  },
})

const WithAgent = defineComponent({
  props: { options: Object, more: Object },
  setup(props) {
    const agent = useAgent(() => ({ endpoint: '/v1', model: 'm', ...revive(props.options) }))
    watchEffect(() => {
      app.agent = agent.value
    })
    return () => h(ToolAgent, { agent: agent.value, ...props.more })
  },
})

const App = defineComponent({
  setup() {
    const count = ref(0)
    return () => {
      const { props, options, tools } = state.value
      return [
        h('button', { onClick: () => (count.value += 1) }, `count ${count.value}`),
        h(
          'ul',
          tools.map((tool) => h(One, { key: tool.by, tool })),
        ),
        options
          ? h(WithAgent, { options, more: revive(props) })
          : h(ToolAgent, { endpoint: '/v1', model: 'm', ...revive(props) }),
      ]
    }
  },
})

app.start = (into) => {
  state.value = app.state
  createApp(App).mount(into)
}
app.begin()
