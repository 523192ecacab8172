// Files: each row has a menu at the end of the body, and the whole state is put to one address.
import { createApp } from 'vue'
import { load, ran, save } from './talk.js'

createApp({
  data: () => ({
    state: { files: [], shares: [] },
    folder: '',
    menu: undefined,
    editing: undefined,
    sharing: undefined,
    mail: '',
    name: '',
  }),
  async mounted() {
    this.state = await load()
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.menu = undefined
    })
  },
  computed: {
    shown() {
      return this.state.files.filter((one) => one.folder === this.folder)
    },
  },
  methods: {
    push: (state) => save(state).catch(() => undefined),
    openMenu(file, event) {
      const { left, bottom } = event.currentTarget.getBoundingClientRect()
      this.menu = { file, left: `${left}px`, top: `${bottom}px` }
    },
    startRename() {
      this.editing = this.menu.file.id
      this.name = this.menu.file.name
      this.menu = undefined
    },
    rename(file) {
      if (this.editing === undefined) return
      ran(`rename ${file.name}`)
      this.editing = undefined
      file.name = this.name
      this.push(this.state)
    },
    trash() {
      const { file } = this.menu
      ran(`trash ${file.name}`)
      this.menu = undefined
      this.state.files = this.state.files.filter((one) => one !== file)
      this.push(this.state)
    },
    invite() {
      ran(`invite ${this.mail}`)
      this.state.shares.push({ id: this.state.shares.length + 1, name: this.mail, file: this.sharing.name })
      this.sharing = undefined
      this.push(this.state)
    },
  },
  template: `<main><h1>Mis archivos</h1><div class="bar"><div class="tab" :class="folder === '' && 'on'" @click="folder = ''">Inicio</div><div v-if="folder">{{ folder }}</div></div>
    <div class="list"><div class="row" v-for="(file, at) in shown" :key="at" @dblclick="file.isFolder && (folder = file.name)">
      <input v-if="editing === file.id" v-model="name" aria-label="Nombre nuevo" @keydown.enter="rename(file)"><span v-else>{{ file.isFolder ? '📁 ' : '' }}{{ file.name }}</span>
      <div class="icon" @click.stop="openMenu(file, $event)">⋮</div></div></div>
    <Teleport to="body"><div class="menu" v-if="menu" :style="{ left: menu.left, top: menu.top }">
      <div class="item" @click="startRename">Cambiar nombre</div>
      <div class="item" @click="sharing = menu.file; menu = undefined">Compartir…</div>
      <div class="item" @click="trash">Mover a la papelera</div></div>
    <div class="modal" v-if="sharing"><p>Compartir {{ sharing.name }}</p><input v-model="mail" placeholder="Correo">
      <div class="bar"><div class="btn" @click="sharing = undefined">Volver</div><div class="btn main" @click="invite">Invitar</div></div></div></Teleport></main>`,
}).mount('#app')
