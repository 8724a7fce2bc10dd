import { once } from 'node:events'
import { WebSocket } from 'ws'
import { platformContract } from '../contract.ts'
import { type TestPlatform, until } from '../platform-testing.ts'

type Frame = Record<string, unknown> & {
  op: string
  v?: [number, string | number, number, unknown, number][]
}

/** A live socket as a browser has one, with what came over it. */
export async function openLive(platform: TestPlatform, origin?: string) {
  const url = `${platform.site.origin.replace('http', 'ws')}${platformContract.base}/live`
  const ws = new WebSocket(url, origin === undefined ? {} : { origin })
  const frames: Frame[] = []
  ws.on('message', (data: Buffer) => frames.push(JSON.parse(String(data)) as Frame))
  await once(ws, 'open')
  return {
    ws,
    frames,
    send: (message: unknown) => ws.send(JSON.stringify(message)),
    next: (op: string) =>
      until(() => {
        const at = frames.findIndex((frame) => frame.op === op)
        return at === -1 ? undefined : frames.splice(at, 1)[0]
      }, `a frame ${op}`),
  }
}
