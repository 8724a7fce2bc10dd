import { once } from 'node:events'
import { tokensByHttp } from './calls.ts'

type Frame = Record<string, unknown> & { op: string }

/** A frame that has not come by then never comes, on any machine. */
const longestMs = 120_000

/** A live socket as a browser has one, with what came over it. */
export async function openLive(url: string) {
  const ws = await openSocket(`${url.replace('http', 'ws')}/svc/platform/api/v1/live`)
  const frames: Frame[] = []
  const changed = new EventTarget()
  ws.addEventListener('message', ({ data }) => {
    frames.push(JSON.parse(String(data)) as Frame)
    changed.dispatchEvent(new Event('frame'))
  })
  const closed = new Promise<number>((done) =>
    ws.addEventListener('close', ({ code }) => {
      done(code)
      changed.dispatchEvent(new Event('frame'))
    }),
  )
  return {
    ws,
    /** Frames not yet taken by `next`. */
    frames,
    /** The code that the server closed it with. */
    closed,
    send: (message: unknown) => ws.send(JSON.stringify(message)),
    /** The next frame of this kind, which may have come already. */
    async next(op: string): Promise<Frame> {
      const signal = AbortSignal.timeout(longestMs)
      for (;;) {
        const at = frames.findIndex((frame) => frame.op === op)
        if (at !== -1) return frames.splice(at, 1)[0] as Frame
        if (ws.readyState === WebSocket.CLOSED) throw new Error(`closed before a frame ${op}`)
        if (signal.aborted) throw new Error(`no frame ${op} among ${JSON.stringify(frames)}`)
        await Promise.race([once(changed, 'frame'), once(signal, 'abort')])
      }
    },
  }
}

/** An open socket; what a busy machine lets fall is tried again, as the portal does. */
async function openSocket(address: string) {
  for (let attempts = 0; attempts < 3; attempts++) {
    const ws = new WebSocket(address)
    const isOpen = await new Promise<boolean>((done) => {
      ws.addEventListener('open', () => done(true))
      ws.addEventListener('close', () => done(false))
    })
    if (isOpen) return ws
  }
  throw new Error(`no socket opens at ${address}`)
}

type Person = Parameters<typeof tokensByHttp>[1]
type Watched = { device: string; path: string }

/** Live socket of a person on values of a device; `seen` waits until one comes. */
export async function watchValues(url: string, person: Person, { device, path }: Watched) {
  const { access_token: token } = await tokensByHttp(url, person)
  const live = await openLive(url)
  live.send({ op: 'hello', token, organization: person.organization })
  await live.next('ready')
  live.send({ op: 'sub', id: 1, kind: 'values', device, path })
  await live.next('sub')
  return {
    ...live,
    async seen(v: unknown) {
      for (;;) {
        const { v: rows } = await live.next('values')
        if (Array.isArray(rows) && rows.some((row: unknown[]) => row[3] === v)) return
      }
    },
  }
}
