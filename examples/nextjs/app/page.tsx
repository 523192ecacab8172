import { Orders } from './orders'

export default function Page() {
  return (
    <main>
      <h1>Tea shop</h1>
      <Orders />
      <label>
        Wishes <textarea name="wishes" />
      </label>
    </main>
  )
}
