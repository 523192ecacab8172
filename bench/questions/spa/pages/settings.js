// Settings: switches are boxes whose state is a class, and everything saves itself a little later.
import Alpine from 'alpinejs'
import { debounce, load, ran, save } from './talk.js'

const push = debounce((state) => save(state).catch(() => undefined), 800)
Alpine.data('settings', () => ({
  tab: 'account',
  state: { settings: [], devices: [] },
  isAsking: false,
  async init() {
    this.state = await load()
  },
  value(id) {
    return this.state.settings.find((one) => one.id === id)?.value
  },
  set(id, value) {
    const found = this.state.settings.find((one) => one.id === id)
    found.value = value
    push(this.state)
  },
  signOut() {
    ran('sign out')
    this.isAsking = false
    this.state.devices = this.state.devices.filter((one) => one.isHere)
    save(this.state).catch(() => undefined)
  },
}))
document.querySelector('#app').innerHTML = `<main x-data="settings"><h1>الإعدادات</h1>
<div class="bar"><template x-for="[id, name] in [['account', 'الحساب'], ['notices', 'الإشعارات'], ['devices', 'الأجهزة']]">
<div class="tab" :class="tab === id && 'on'" @click="tab = id" x-text="name"></div></template></div>
<div class="values">
<div x-show="tab === 'account'"><label>الاسم الظاهر <input :value="value('name')" @input="set('name', $event.target.value)"></label></div>
<div x-show="tab === 'notices'">
<template x-for="[id, name] in [['mail', 'رسائل البريد'], ['sound', 'الصوت'], ['weekly', 'الملخص الأسبوعي']]"><div class="row"><div x-text="name"></div>
<div class="toggle" :class="value(id) && 'active'" @click="set(id, !value(id))"><i></i></div></div></template></div>
<div x-show="tab === 'devices'"><template x-for="one in state.devices"><div class="row"><div x-text="one.name"></div></div></template>
<div class="btn" @click="isAsking = true">إنهاء الجلسات الأخرى</div></div></div>
<template x-teleport="body"><div class="modal" x-show="isAsking"><p>سيتم تسجيل الخروج من كل الأجهزة الأخرى.</p>
<div class="bar"><div class="btn" @click="isAsking = false">رجوع</div><div class="btn main" @click="signOut()">متابعة</div></div></div></template></main>`
Alpine.start()
