// The order form in Vue: v-model on one reactive object, widgets as components of their own.
import { createApp, nextTick, reactive, ref } from 'vue'
import * as m from './model.js'

const Country = {
  props: ['modelValue'],
  emits: ['update:modelValue'],
  data() {
    return { text: this.modelValue, open: false }
  },
  computed: {
    options() {
      return m.matching(this.text)
    },
  },
  watch: {
    modelValue(value) {
      this.text = value
    },
  },
  methods: {
    type(event) {
      this.text = event.target.value
      this.open = true
      if (this.text === '') this.$emit('update:modelValue', '')
    },
    pick(name) {
      this.text = name
      this.open = false
      this.$emit('update:modelValue', name)
    },
  },
  template: `<p data-c="country"><label for="country">Country</label>
    <input id="country" role="combobox" aria-autocomplete="list" aria-controls="countries" :aria-expanded="open" autocomplete="off" :value="text" @input="type" @blur="open = false" @keydown.esc="open = false">
    <span v-if="open" role="listbox" id="countries" aria-label="Countries"><span v-for="name of options" :key="name" role="option" :aria-selected="name === modelValue" @mousedown.prevent="pick(name)">{{ name }} </span></span></p>`,
}

const Size = {
  props: ['modelValue'],
  emits: ['update:modelValue'],
  setup: () => ({ open: ref(false), sizes: m.sizes }),
  template: `<div data-c="size"><span id="size">Size</span>
    <button type="button" role="combobox" aria-labelledby="size" aria-haspopup="listbox" aria-controls="sizes" :aria-expanded="open" @click="open = !open" @keydown.esc="open = false">{{ modelValue }}</button>
    <ul v-show="open" role="listbox" id="sizes" aria-labelledby="size"><li v-for="name of sizes" :key="name" role="option" :aria-selected="name === modelValue" @click="$emit('update:modelValue', name); open = false">{{ name }}</li></ul></div>`,
}

// Its months are turned by buttons alone, and it is drawn under the body, far from its field.
const Departure = {
  props: ['modelValue'],
  emits: ['update:modelValue'],
  setup: () => ({ shown: ref(''), m }),
  methods: {
    show() {
      this.shown = this.modelValue
      void nextTick(() => document.querySelector('#departures td[tabindex="0"]').focus())
    },
    pick(day) {
      if (day.isOther) return
      this.$emit('update:modelValue', day.iso)
      this.shown = ''
    },
  },
  template: `<p data-c="departure"><label>Departure <input role="combobox" readonly aria-haspopup="dialog" :aria-expanded="shown !== ''" :value="m.toAmerican(modelValue)" @click="show"></label></p>
    <Teleport to="body"><div v-if="shown" role="dialog" id="departures" aria-modal="true" aria-label="Choose a date" @keydown.esc="shown = ''">
      <button type="button" aria-label="Previous year" @click="shown = m.shifted(shown, { months: -12 })">«</button> <button type="button" aria-label="Previous month" @click="shown = m.shifted(shown, { months: -1 })">‹</button>
      <h2 aria-live="polite">{{ m.headingOf(shown) }}</h2>
      <button type="button" aria-label="Next month" @click="shown = m.shifted(shown, { months: 1 })">›</button> <button type="button" aria-label="Next year" @click="shown = m.shifted(shown, { months: 12 })">»</button>
      <table role="grid" aria-label="Days"><tbody><tr v-for="week of m.weeksOf(shown)" :key="week[0].iso"><td v-for="day of week" :key="day.iso" role="gridcell" :tabindex="day.iso === shown ? 0 : -1" :aria-disabled="day.isOther" :aria-selected="day.iso === modelValue" @click="pick(day)">{{ day.text }}</td></tr></tbody></table>
    </div></Teleport>`,
}

const s = reactive(m.initial())
const version = ref(0)
const renamed = ref(false)
const arrival = ref('')

const app = createApp({
  components: { Country, Size, Departure },
  setup: () => ({ s, m, version, renamed, arrival }),
  methods: {
    lower(event) {
      if (m.isLower(event.target.value)) s.lower = event.target.value
      else event.target.value = s.lower
    },
    account(event) {
      s.account = m.grouped(event.target.value)
      event.target.value = s.account
    },
  },
  watch: {
    arrival(text) {
      s.arrival = m.fromAmerican(text)
    },
  },
  directives: {
    first: {
      mounted(element, { value }) {
        element.textContent = value
      },
    },
  },
  template: `<main><h1>Order</h1><form :key="version" aria-label="Order" @submit.prevent>
    <p data-c="name"><label>{{ renamed ? 'Pet' : 'Name' }} <input :name="renamed ? 'pet' : 'name'" v-model="s.name"></label></p>
    <p data-c="email"><label>Email <input type="email" v-model="s.email"></label></p>
    <p data-c="phone"><label>Phone <input type="tel" v-model="s.phone"></label></p>
    <p data-c="website"><label>Website <input type="url" v-model.lazy="s.website"></label></p>
    <p data-c="search"><label>Search <input type="search" v-model.trim="s.search"></label></p>
    <p data-c="date"><label>Date <input type="date" v-model="s.date"></label></p>
    <p data-c="time"><label>Time <input type="time" v-model="s.time"></label></p>
    <p data-c="month"><label>Month <input type="month" v-model="s.month"></label></p>
    <p data-c="week"><label>Week <input type="week" v-model="s.week"></label></p>
    <p data-c="starts"><label>Starts <input type="datetime-local" v-model="s.starts"></label></p>
    <p data-c="colour"><label>Colour <input type="color" v-model="s.colour"></label></p>
    <p data-c="password"><label>Password <input type="password" v-model="s.password"></label></p>
    <p data-c="notes"><label>Notes <textarea name="notes" v-model="s.notes"></textarea></label></p>
    <p data-c="guests"><label>Guests <input type="number" min="1" max="12" v-model.number="s.guests"></label></p>
    <p data-c="spice"><label>Spice <input type="range" min="0" max="10" step="2" v-model.number="s.spice"></label></p>
    <p data-c="news"><label><input type="checkbox" v-model="s.news"> Send me news</label></p>
    <fieldset data-c="seat"><legend>Seating</legend><label v-for="[value, label] of m.seats" :key="value"><input type="radio" name="seat" :value="value" v-model="s.seat"> {{ label }}</label></fieldset>
    <fieldset data-c="diet"><legend>Diet</legend><label v-for="[value, label] of m.diets" :key="value"><input type="checkbox" :value="value" v-model="s.diet"> {{ label }}</label></fieldset>
    <p data-c="occasion"><label>Occasion <select v-model="s.occasion"><option v-for="[value, label] of m.occasions" :key="value" :value="value">{{ label }}</option></select></label></p>
    <p data-c="wines"><label>Wines <select multiple v-model="s.wines"><option v-for="name of m.wines" :key="name">{{ name }}</option></select></label></p>
    <p data-c="city"><label>City <input list="cities" v-model="s.city"></label><datalist id="cities"><option v-for="name of m.cities" :key="name" :value="name" /></datalist></p>
    <p data-c="account"><label>Account <input :value="s.account" @input="account"></label></p>
    <p data-c="lower"><label>Lower case <input :value="s.lower" @input="lower"></label></p>
    <p data-c="memo"><span id="memo">Memo</span> <span role="textbox" contenteditable="true" aria-labelledby="memo" style="display: inline-block; min-width: 5em" v-first="s.memo" @input="s.memo = $event.target.textContent"></span></p>
    <Country v-model="s.country" />
    <Size v-model="s.size" />
    <ul data-c="crust" role="listbox" aria-label="Crust" tabindex="0"><li v-for="name of m.crusts" :key="name" role="option" :aria-selected="s.crust === name" @click="s.crust = name">{{ name }}</li></ul>
    <ul data-c="toppings" role="listbox" aria-label="Toppings" aria-multiselectable="true" tabindex="0"><li v-for="name of m.toppings" :key="name" role="option" :aria-selected="s.toppings.includes(name)" @click="s.toppings = m.flipped(s.toppings, name)">{{ name }}</li></ul>
    <p data-c="alerts"><span id="alerts">Alerts</span> <button type="button" role="switch" :aria-checked="s.alerts" aria-labelledby="alerts" @click="s.alerts = !s.alerts">{{ s.alerts ? 'on' : 'off' }}</button></p>
    <p data-c="volume"><span id="volume">Volume</span> <span role="slider" tabindex="0" aria-labelledby="volume" aria-valuemin="0" aria-valuemax="10" :aria-valuenow="s.volume" @keydown.up.prevent="s.volume = Math.min(10, s.volume + 1)" @keydown.down.prevent="s.volume = Math.max(0, s.volume - 1)">⬤</span></p>
    <p data-c="nights"><span id="nights">Nights</span> <span role="spinbutton" tabindex="0" aria-labelledby="nights" aria-valuemin="1" aria-valuemax="30" :aria-valuenow="s.nights" :aria-valuetext="s.nights + ' nights'" @keydown.up.prevent="s.nights++" @keydown.down.prevent="s.nights--">{{ s.nights }}</span></p>
    <div data-c="room" role="radiogroup" aria-label="Room"><span v-for="name of m.rooms" :key="name" role="radio" tabindex="0" :aria-checked="s.room === name" @click="s.room = name">{{ name }}</span></div>
    <p data-c="arrival"><label>Arrival <input v-model="arrival" aria-describedby="arrival-format"></label> <span id="arrival-format">(MM/DD/YYYY)</span></p>
    <Departure v-model="s.departure" />
    <p data-c="rating"><span id="rating">Rating</span> <star-rating aria-labelledby="rating" name="rating" .value="s.rating" @change="s.rating = $event.target.value" /></p>
  </form><pre id="state" data-tool-agent-ignore>{{ JSON.stringify(s) }}</pre></main>`,
})
app.config.compilerOptions.isCustomElement = (tag) => tag === 'star-rating'
app.mount('#app')
m.publish(document, {
  redraw() {
    version.value++
  },
  rename() {
    renamed.value = true
    version.value++
  },
})
