// An app that shows the state of its agent and draws the calls of a tool, for Vue, the same as that of state-react.jsx.
import {
  createApp,
  createSSRApp,
  defineComponent,
  h,
  inject,
  onMounted,
  onUnmounted,
  provide,
  ref,
  shallowRef,
} from 'vue'
import { renderToString } from 'vue/server-renderer'
import { ToolAgent, useAgent, useAgentState, useTool, useToolRenderer } from 'tool-agent/vue'
import { app, find } from './state-app.js'

const state = shallowRef(app.state)
app.observe(() => {
  state.value = app.state
})

const Tasks = defineComponent({
  props: { agent: Object },
  setup(props) {
    const shown = useAgentState(
      () => props.agent,
      ({ todos, status }) => ({ todos, status }),
    )
    const messages = useAgentState(
      () => props.agent,
      (agent) => agent.messages.length,
    )
    const questions = useAgentState(
      () => props.agent,
      (agent) => agent.questions,
    )
    return () => {
      app.renders += 1
      const { todos, status } = shown.value
      return h('section', { 'aria-label': 'State' }, [
        `${status}, ${messages.value} messages, ${questions.value.length} questions`,
        ...todos.map((one) => h('p', { key: one.text }, `${one.text}: ${one.status}`)),
        ...questions.value.map(({ call }) =>
          h('button', { onClick: () => app.agent.approve(call.id) }, `Allow ${call.name}`),
        ),
      ])
    }
  },
})

const Products = defineComponent({
  props: { input: Object, state: String, output: Array, error: Object, part: Object },
  setup(props) {
    const currency = inject('currency', 'none')
    const count = ref(0)
    onMounted(() => {
      app.cards += 1
    })
    onUnmounted(() => {
      app.cards -= 1
    })
    return () => {
      const output = props.output ?? []
      if (output.includes('broken')) throw new Error('no such product')
      return h(
        'button',
        { onClick: () => (count.value += 1) },
        `${props.input.query} in ${currency}: ${props.state} ${output.join(', ')} ${count.value}`,
      )
    }
  },
})

const Cards = defineComponent({
  props: { agent: Object },
  setup(props) {
    useToolRenderer(() => props.agent, 'find', Products)
    return () => null
  },
})

const App = defineComponent({
  setup() {
    const agent = useAgent({ endpoint: '/v1', model: 'm' })
    useTool(find)
    provide('currency', 'euros')
    return () => {
      const { hasCards, isShown } = state.value
      app.agent = agent.value
      return [
        h('h1', 'State'),
        isShown ? h(Tasks, { agent: agent.value }) : null,
        hasCards ? h(Cards, { agent: agent.value }) : null,
        h(ToolAgent, { agent: agent.value }),
      ]
    }
  },
})

app.render = () => renderToString(createSSRApp(App))
app.start = (into) => {
  state.value = app.state
  const made = createApp(App)
  made.config.errorHandler = () => {}
  made.mount(into)
}
app.begin()
