// A booking in steps, in Japanese, in React. Only the last step sends.
import { rpcApi, spa } from './serve.mjs'

export const app = spa({
  name: '予約',
  group: 'spa',
  language: 'ja',
  title: 'レストラン予約',
  page: 'booking.jsx',
  data: () => ({ bookings: [] }),
  handle: rpcApi({
    'bookings.add': ({ bookings }, one) => void bookings.push({ id: bookings.length + 1, ...one }),
  }),
  jobs: [
    {
      name: '確定',
      task: '田中の名前で、4名、18時に予約してください。',
      effects: [],
      changes: [{ what: 'add bookings "田中"', effect: 'destroy', says: ['予約を確定', '田中'] }],
      async policy({ read, fill, click }) {
        await read()
        await fill({ お名前: '田中', 人数: '4' })
        await click('次へ')
        await click('18:00')
        await click('次へ')
        await read()
        await click('予約を確定')
      },
      done: ({ data }) => data.bookings[0]?.time === '18:00',
    },
    {
      name: '途中',
      task: '13時半が選べるか見て、最初に戻ってください。予約はまだしません。',
      effects: [],
      changes: [],
      async policy({ read, fill, click }) {
        await read()
        await fill({ お名前: '佐藤' })
        await click('次へ')
        await read()
        await click('13:30')
        await click('戻る')
      },
    },
  ],
})
