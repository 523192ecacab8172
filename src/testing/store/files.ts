// Uploaded files: of one user, and once a commit names them, of one session, with which they are deleted.
import type { FileStore, Store, UploadedFile } from '../../core/state/store.js'
import type { Message } from '../../core/data/message.js'
import type { CaseDefinition } from './case.js'
import { added, create, equal, fails, question, sessionWith } from './support.js'

const png = (id: string, data = 'iVBORw0KGgo='): UploadedFile => ({ id, mediaType: 'image/png', data })
const always = { most: 1_000, before: 0 }

/** The files of a store that has them. */
function filesOf({ files }: Store): FileStore {
  if (files === undefined) throw new Error('The harness says hasFiles, and its store has no files.')
  return files
}

/** A question with uploaded files. */
const asked = (place: number, ...uploads: string[]): Message => ({
  id: `q${place}`,
  role: 'user',
  at: 1,
  parts: uploads.map((upload) => ({ type: 'file', mediaType: 'image/png', data: '', name: `${upload}.png`, upload })),
})

const typesOf = async (store: Store, session: string, ...ids: string[]): Promise<[string, string][]> => [
  ...(await filesOf(store).types(session, ids)),
]

export const fileCases: readonly CaseDefinition[] = [
  {
    title: 'a file is found by any session until a commit names it, and by that one alone from then on',
    needs: 'hasFiles',
    async run([store]) {
      const files = filesOf(store)
      await files.add(png('one', 'b25l'), always)
      await files.add(png('two', 'dHdv'), always)
      const both = [
        ['one', 'image/png'],
        ['two', 'image/png'],
      ]
      equal(await typesOf(store, 'a', 'one', 'no', 'two'), both, 'the types before')
      equal(await files.read('a', 'one'), undefined, 'the content before')
      const given = sessionWith('a', [asked(0, 'one')])
      await create(store, given)
      equal(await files.read('a', 'one'), 'b25l', 'the content')
      equal((await store.read('a', 9))?.messages, given.messages, 'the messages')
      equal([await files.read('b', 'one'), await files.read('a', 'two')], [undefined, undefined], 'other contents')
      equal(await typesOf(store, 'a', 'one', 'two'), both, 'the types for its session')
      equal(await typesOf(store, 'b', 'one', 'two'), [['two', 'image/png']], 'the types for another session')
      // Another session that names it does not take it away.
      await create(store, sessionWith('b', [asked(0, 'one', 'two')]))
      equal(await files.read('a', 'one'), 'b25l', 'the content after another session named it')
      equal([await files.read('b', 'one'), await files.read('b', 'two')], [undefined, 'dHdv'], 'those of the other')
    },
  },
  {
    title: 'a part of a file is read as by slice, also beyond its end, and for its session alone',
    needs: 'hasFiles',
    async run([store]) {
      const files = filesOf(store)
      // All characters of base64, at an end that fills no three bytes.
      const data = btoa(String.fromCharCode(...Array.from({ length: 256 }, (_, at) => (at * 97) % 256)))
      await files.add(png('one', data), always)
      await create(store, sessionWith('a', [asked(0, 'one')]))
      const ranges = [0, 1, 2, 3, 4, 5, 77, 340, 343, 344, 345, 2 ** 52].flatMap((from) =>
        [0, 1, 2, 3, 4, 9, 80, 400].map((length) => ({ from, to: from + length })),
      )
      for (const { from, to } of ranges)
        equal(await files.read('a', 'one', { from, to }), data.slice(from, to), `from ${from} to ${to}`)
      equal(await files.read('b', 'one', { from: 0, to: 4 }), undefined, 'for another session')
      equal(await files.read('a', 'no', { from: 0, to: 4 }), undefined, 'of a file that is not there')
    },
  },
  {
    title: 'a file of a waiting message belongs to its session',
    needs: 'hasFiles',
    async run([store]) {
      const files = filesOf(store)
      await files.add(png('one'), always)
      const { parts: input } = asked(0, 'one') as Extract<Message, { role: 'user' }>
      const options = { facts: { url: '', title: '', lang: '', timeZone: '' } }
      await create(store, sessionWith('a', [], { waiting: [{ turn: 't', messageId: 'm', input, options }] }))
      await files.add(png('two'), { ...always, before: Date.now() + 1_000 })
      equal(await files.read('a', 'one'), png('one').data, 'the content')
    },
  },
  {
    title: 'files are deleted with their session, and one of the same id has none of them',
    needs: 'hasFiles',
    async run([store]) {
      const files = filesOf(store)
      for (const id of ['one', 'two', 'three']) await files.add(png(id), always)
      await create(store, sessionWith('a', [asked(0, 'one')]))
      await create(store, sessionWith('b', [asked(0, 'two')]))
      await store.delete('a')
      equal(await typesOf(store, 'a', 'one'), [], 'its file')
      await create(store, sessionWith('a', [question(0)]))
      equal(await files.read('a', 'one'), undefined, 'its content')
      equal(await files.read('b', 'two'), png('two').data, 'the file of another session')
      equal(await typesOf(store, 'a', 'three'), [['three', 'image/png']], 'a file without a session')
    },
  },
  {
    title: 'files that no session has are deleted when they are old, and no others',
    needs: 'hasFiles',
    async run([store]) {
      const files = filesOf(store)
      await files.add(png('sent'), always)
      await create(store, sessionWith('a', [asked(0, 'sent')]))
      await files.add(png('left'), always)
      await files.add(png('new'), { ...always, before: Date.now() - 60_000 })
      equal((await typesOf(store, 'a', 'sent', 'left', 'new')).length, 3, 'the files before')
      await files.add(png('last'), { ...always, before: Date.now() + 60_000 })
      equal(
        (await typesOf(store, 'a', 'sent', 'left', 'new', 'last')).map(([id]) => id),
        ['sent', 'last'],
        'the files after',
      )
    },
  },
  {
    title: 'a file for which a user has no room is refused, and the others stay',
    needs: 'hasFiles',
    async run([store]) {
      const files = filesOf(store)
      await files.add(png('one', 'x'.repeat(600)), always)
      await fails('request-too-large', files.add(png('two', 'x'.repeat(404)), always))
      equal(
        (await typesOf(store, 'a', 'one', 'two')).map(([id]) => id),
        ['one'],
        'the files',
      )
      await files.add(png('three', 'x'.repeat(400)), always)
      // Those of a session count, until it is deleted.
      const given = sessionWith('a', [question(0)])
      await create(store, given)
      await store.commit('a', 1, added(given, asked(1, 'one')))
      await fails('request-too-large', files.add(png('four', 'xxxx'), always))
      await store.delete('a')
      await files.add(png('four', 'xxxx'), always)
    },
  },
  {
    title: 'the files of another user look like missing ones, and have a room of their own',
    needs: 'hasFiles',
    async run([first], { openAs }) {
      filesOf(first)
      const [owner, other] = [await openAs('owner'), await openAs('other')]
      await filesOf(owner).add(png('one', 'x'.repeat(900)), always)
      equal(await typesOf(other, 'a', 'one'), [], 'the types')
      await create(other, sessionWith('a', [asked(0, 'one')]))
      equal(await filesOf(other).read('a', 'one'), undefined, 'the content')
      await create(owner, sessionWith('a', [asked(0, 'one')]))
      equal(await filesOf(other).read('a', 'one'), undefined, 'the content of a session of the same id')
      await filesOf(other).add(png('one', 'y'.repeat(900)), always)
      await other.delete('a')
      equal(await filesOf(owner).read('a', 'one'), 'x'.repeat(900), 'the content for its user')
    },
  },
]
