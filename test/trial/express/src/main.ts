import { startAssistant } from './assistant'
import { card, findProducts, loadCart, login } from './shop'

const form = document.querySelector<HTMLFormElement>('#login')!
form.onsubmit = async (event) => {
  event.preventDefault()
  const { id } = await login(String(new FormData(form).get('name')))
  form.hidden = true
  document.querySelector('main')!.hidden = false
  document.querySelector('#products')!.append(...(await findProducts()).map(card))
  await loadCart()
  const agent = startAssistant(id)
  agent.observe(() => (document.querySelector<HTMLOutputElement>('#status')!.value = agent.status))
}
