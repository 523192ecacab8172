// The texts of the list of conversations, in all languages. Loaded with its code, because most visits need none.
import type { Words } from './en.js'

const en = {
  untitled: 'Untitled conversation',
  noConversations: 'No saved conversations yet.',
  rename: 'Rename',
  remove: 'Delete',
  removeQuestion: 'Delete permanently?',
  cancel: 'Cancel',
  save: 'Save',
  back: 'Back',
  messages: (count: number) => (count === 1 ? '1 message' : `${count.toLocaleString('en')} messages`),
}

/** The texts of the list of conversations in one language. */
export type MenuWords = typeof en

const de: MenuWords = {
  untitled: 'Unterhaltung ohne Titel',
  noConversations: 'Noch keine gespeicherten Unterhaltungen.',
  rename: 'Umbenennen',
  remove: 'Löschen',
  removeQuestion: 'Endgültig löschen?',
  cancel: 'Abbrechen',
  save: 'Speichern',
  back: 'Zurück',
  messages: (count) => (count === 1 ? '1 Nachricht' : `${count.toLocaleString('de')} Nachrichten`),
}

/** The texts of the list of conversations in the language of the other texts. */
export const menuWords = ({ language }: Pick<Words, 'language'>): MenuWords => (language === 'de' ? de : en)
