// The texts of the buttons below a message, in English.

const number = (value: number) => value.toLocaleString('en')

/** The English texts. */
export const actionWords = {
  edit: 'Edit and send again',
  again: 'Answer again',
  details: 'Time and usage',
  good: 'Good answer',
  bad: 'Bad answer',
  cancel: 'Cancel',
  tokens: (sent: number, received: number) => `${number(sent)} tokens sent, ${number(received)} received`,
}

/** The texts of the buttons below a message. */
export type ActionWords = typeof actionWords
