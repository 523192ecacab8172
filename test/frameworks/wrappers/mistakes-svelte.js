// Mounts the app with mistakes for Svelte.
import 'tool-agent'
import { mount } from 'svelte'
import { app } from './mistakes-app.js'
import Mistakes from './Mistakes.svelte'

app.start = (into) => {
  mount(Mistakes, { target: into })
}
app.begin()
