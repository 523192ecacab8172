// A booking in steps: nothing is sent before the last one.
import { useReducer } from 'react'
import { createRoot } from 'react-dom/client'
import { ran, rpc } from './talk.js'

const times = ['10:00', '13:30', '18:00']
const Step = ({ back, next, label = '次へ', children }) => (
  <div>
    {children}
    <div className="bar">
      {back && (
        <div className="btn" onClick={back}>
          戻る
        </div>
      )}
      <div className="btn main" onClick={next}>
        {label}
      </div>
    </div>
  </div>
)

function Page() {
  const [state, set] = useReducer((old, next) => ({ ...old, ...next }), { step: 0, name: '', people: '2', time: '' })
  const { step, name, people, time } = state
  const go = (by) => () => set({ step: step + by })
  const finish = () => {
    ran(`book ${name}`)
    set({ step: 3 })
    rpc('bookings.add', { name, people, time }).catch(() => set({ step: 2, problem: '通信エラー' }))
  }
  return (
    <main>
      <h1>レストラン予約</h1>
      <div className="bar muted">{step + 1} / 4</div>
      <div className="steps">
        {step === 0 && (
          <Step next={go(1)}>
            <input placeholder="お名前" value={name} onChange={(event) => set({ name: event.target.value })} />
            <input placeholder="人数" value={people} onChange={(event) => set({ people: event.target.value })} />
          </Step>
        )}
        {step === 1 && (
          <Step back={go(-1)} next={go(1)}>
            <div className="bar">
              {times.map((one) => (
                <div key={one} className={one === time ? 'btn main' : 'btn'} onClick={() => set({ time: one })}>
                  {one}
                </div>
              ))}
            </div>
          </Step>
        )}
        {step === 2 && (
          <Step back={go(-1)} next={finish} label="予約を確定">
            <p>
              {name} 様、{people} 名、{time}
            </p>
          </Step>
        )}
        {step === 3 && <p>ご予約ありがとうございます。</p>}
      </div>
    </main>
  )
}

createRoot(document.querySelector('#app')).render(<Page />)
