import { once } from 'node:events'

export type Frame = Record<string, unknown> & { op: string }

/** A live socket as a browser has one, with what came over it. */
export async function openLive(url: string) {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/svc/platform/api/v1/live`)
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
  await once(ws, 'open')
  return {
    ws,
    /** All frames that nobody took with `next`. */
    frames,
    /** The code that the server closed it with. */
    closed,
    send: (message: unknown) => ws.send(JSON.stringify(message)),
    /** The next frame of this kind, which may have come already. */
    async next(op: string): Promise<Frame> {
      for (;;) {
        const at = frames.findIndex((frame) => frame.op === op)
        if (at !== -1) return frames.splice(at, 1)[0] as Frame
        if (ws.readyState === WebSocket.CLOSED) throw new Error(`closed before a frame ${op}`)
        await once(changed, 'frame')
      }
    },
  }
}
