import { type AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws'
import { reconnectDelayMs } from './live-protocol.ts'
import { LiveStore, pauseWhileHidden } from './live-store.ts'

type Said = { op: string; id?: number; [field: string]: unknown }
const ends: (() => void)[] = []
const soon = (check: () => void) => vi.waitFor(check, { timeout: 60_000 })
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A server that speaks the live protocol and remembers what it was told. */
async function liveServer(port = 0) {
  const server = new WebSocketServer({ port })
  await new Promise((done) => server.once('listening', done))
  const said: Said[] = []
  const sockets: ServerSocket[] = []
  server.on('connection', (socket) => {
    sockets.push(socket)
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Said
      said.push(message)
      if (message.op === 'hello') socket.send(JSON.stringify({ op: 'ready' }))
      if (message.op === 'sub')
        socket.send(
          JSON.stringify({
            op: 'sub',
            id: message.id,
            ok: message.device !== 'secret',
            code: 'not_found',
          }),
        )
    })
  })
  ends.push(() => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  const subs = () => said.filter(({ op }) => op === 'sub')
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    said,
    subs,
    tell: (message: object) => sockets.at(-1)!.send(JSON.stringify(message)),
    lastSub: () => subs().at(-1)!,
    cut: () => sockets.at(-1)!.terminate(),
  }
}

function connect(url: string, token = async () => 'token-1') {
  const store = new LiveStore({ url, organization: 'acme', token })
  ends.push(store.close)
  return store
}

const values = (store: LiveStore, device: string) =>
  Object.fromEntries([...store.valuesOf(device)].map(([path, { value }]) => [path, value]))

test('a value that arrives is told once to who listens [C-22 in part]', async () => {
  const server = await liveServer()
  const store = connect(server.url)
  const tell = vi.fn<() => void>()
  store.onValues('oven', tell)
  store.hold({ kind: 'values', device: 'oven', path: '**', maxHz: 2 })
  await soon(() => expect(server.subs()).toHaveLength(1))
  expect(server.said[0]).toEqual({ op: 'hello', token: 'token-1', organization: 'acme' })
  expect(server.lastSub()).toMatchObject({ kind: 'values', device: 'oven', path: '**', maxHz: 2 })
  const { id } = server.lastSub()
  server.tell({
    op: 'values',
    v: [
      [id, 'Oven:1/a', 1, 20, 0],
      [id, 'Oven:1/b', 1, true, 0],
    ],
  })
  await soon(() => expect(values(store, 'oven')).toEqual({ 'Oven:1/a': 20, 'Oven:1/b': true }))
  expect(tell).toHaveBeenCalledTimes(1)
})

test('a late value does not overwrite a newer one', async () => {
  const server = await liveServer()
  const store = connect(server.url)
  store.hold({ kind: 'values', device: 'oven', path: 'p' })
  await soon(() => expect(server.subs()).toHaveLength(1))
  const { id } = server.lastSub()
  server.tell({
    op: 'values',
    v: [
      [id, 'p', 10, 'new', 0],
      [id, 'p', 9, 'old', 0],
    ],
  })
  await soon(() => expect(values(store, 'oven')).toEqual({ p: 'new' }))
})

test('two listeners cost one subscription, at the higher rate, until both are gone', async () => {
  const server = await liveServer()
  const store = connect(server.url)
  const wish = { kind: 'values', device: 'oven', path: 'p' } as const
  const first = store.hold({ ...wish, maxHz: 1 })
  const second = store.hold({ ...wish, maxHz: 5 })
  const third = store.hold({ ...wish, maxHz: 2 })
  await soon(() => expect(server.lastSub()).toMatchObject({ maxHz: 5 }))
  const asked = server.subs().length
  first()
  second()
  second()
  third()
  await soon(() => expect(server.said.at(-1)).toMatchObject({ op: 'unsub' }))
  expect(server.subs()).toHaveLength(asked)
  expect(server.said.filter(({ op }) => op === 'unsub')).toHaveLength(1)
})

test('after a lost connection everything is asked for again', async () => {
  const server = await liveServer()
  const store = connect(server.url)
  store.hold({ kind: 'values', device: 'oven', path: '**' })
  store.hold({ kind: 'status', device: '*' })
  await soon(() => expect(server.subs()).toHaveLength(2))
  const states: string[] = []
  store.onState(() => states.push(store.state().name))
  server.cut()
  await soon(() => expect(server.subs()).toHaveLength(4))
  await soon(() => expect(states.at(-1)).toBe('live'))
  expect(states).toContain('reconnecting')
})

test('a hidden tab lets go and comes back to the same things', async () => {
  const server = await liveServer()
  const store = connect(server.url)
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  ends.push(pauseWhileHidden(store, page as unknown as Document, 1))
  store.hold({ kind: 'values', device: 'oven', path: 'p' })
  await soon(() => expect(server.subs()).toHaveLength(1))
  page.visibilityState = 'hidden'
  page.dispatchEvent(new Event('visibilitychange'))
  await soon(() => expect(server.said.at(-1)).toMatchObject({ op: 'unsub' }))
  expect(store.state().name).toBe('paused')
  page.visibilityState = 'visible'
  page.dispatchEvent(new Event('visibilitychange'))
  await soon(() => expect(server.subs()).toHaveLength(2))
  expect(store.state().name).toBe('live')
})

test('a renewed token is told to the open socket', async () => {
  const server = await liveServer()
  let token = 'first'
  const store = connect(server.url, async () => token)
  await soon(() => expect(store.state().name).toBe('live'))
  await store.renew()
  token = 'second'
  await store.renew()
  await soon(() => expect(server.said.at(-1)).toEqual({ op: 'token', token: 'second' }))
  expect(server.said.filter(({ op }) => op === 'token')).toHaveLength(1)
})

test('a refusal is kept with its code', async () => {
  const server = await liveServer()
  const store = connect(server.url)
  const wish = { kind: 'values', device: 'secret', path: '**' } as const
  store.hold(wish)
  await soon(() => expect(store.refusalOf(wish)).toBe('not_found'))
})

test('the status of a device and the frames of its console arrive', async () => {
  const server = await liveServer()
  const store = connect(server.url)
  store.hold({ kind: 'status', device: '*' })
  const frames: unknown[] = []
  store.frames('oven', (frame) => frames.push(frame.topic))
  await soon(() => expect(server.subs()).toHaveLength(2))
  const [status, console] = server.subs()
  server.tell({ op: 'status', id: status!.id, device: 'oven', connected: true, at: 5 })
  server.tell({ op: 'frame', id: console!.id, topic: 'r/oven/x' })
  await soon(() => expect(frames).toEqual(['r/oven/x']))
  expect(store.statusOf('oven')).toEqual({ connected: true, at: 5 })
})

test('numbers and switches leave a trail from when somebody listens; texts leave none', async () => {
  const server = await liveServer()
  const store = connect(server.url)
  const release = store.hold({ kind: 'values', device: 'oven', path: '**' })
  await soon(() => expect(server.subs()).toHaveLength(1))
  const { id } = server.lastSub()
  const tell = (...v: unknown[][]) => server.tell({ op: 'values', v: v.map((one) => [id, ...one]) })
  tell(['n', 1, 20, 0], ['n', 2, 21, 0], ['on', 2, true, 0], ['text', 2, 'Idle', 0])
  await soon(() => expect(store.trailOf('oven', 'n')).toEqual({ times: [1, 2], values: [20, 21] }))
  expect(store.trailOf('oven', 'on')).toEqual({ times: [2], values: [1] })
  expect(store.trailOf('oven', 'text').times).toEqual([])
  expect(store.trailOf('oven', 'n')).toBe(store.trailOf('oven', 'n'))
  release()
  expect(store.trailOf('oven', 'n').times).toEqual([])
})

test('of a long trail the oldest part is forgotten', async () => {
  const server = await liveServer()
  const store = connect(server.url)
  store.hold({ kind: 'values', device: 'oven', path: 'n' })
  await soon(() => expect(server.subs()).toHaveLength(1))
  const { id } = server.lastSub()
  server.tell({ op: 'values', v: Array.from({ length: 1_201 }, (_, at) => [id, 'n', at, at, 0]) })
  await soon(() => expect(store.trailOf('oven', 'n').times.at(-1)).toBe(1_200))
  expect(store.trailOf('oven', 'n').times).toHaveLength(901)
  expect(store.trailOf('oven', 'n').values[0]).toBe(300)
})

test('a value of what nobody asked for is not kept', async () => {
  const server = await liveServer()
  const store = connect(server.url)
  store.hold({ kind: 'status', device: '*' })
  await soon(() => expect(server.subs()).toHaveLength(1))
  const { id } = server.lastSub()
  server.tell({ op: 'values', v: [[id, 'p', 1, 20, 0]] })
  server.tell({ op: 'values', v: [[99, 'p', 1, 20, 0]] })
  server.tell({ op: 'status', id, device: 'oven', connected: true, at: 5 })
  await soon(() => expect(store.statusOf('oven')).toBeDefined())
  expect(store.valuesOf('oven').size).toBe(0)
})

test('a message of a newer server is passed over, and what comes after it is heard', async () => {
  const server = await liveServer()
  const store = connect(server.url)
  store.hold({ kind: 'values', device: 'oven', path: 'p' })
  await soon(() => expect(server.subs()).toHaveLength(1))
  const { id } = server.lastSub()
  server.tell({ op: 'of the future', id })
  server.tell({ op: 'values', v: 'not a list' })
  server.tell({ op: 'values', v: [[id, 'p', 1, 20, 0]] })
  await soon(() => expect(values(store, 'oven')).toEqual({ p: 20 }))
})

test('a status keeps what it said before of the configuration', async () => {
  const server = await liveServer()
  const store = connect(server.url)
  store.hold({ kind: 'status', device: '*' })
  await soon(() => expect(server.subs()).toHaveLength(1))
  const status = { op: 'status', id: server.lastSub().id, device: 'oven' }
  const before = store.statusVersion()
  server.tell({ ...status, connected: true, at: 5, configurationApplied: true })
  server.tell({ ...status, connected: false, at: 6 })
  await soon(() =>
    expect(store.statusOf('oven')).toEqual({
      connected: false,
      at: 6,
      configurationApplied: true,
    }),
  )
  expect(store.statusVersion()).toBe(before + 2)
})

test('a subscription that the server ends is refused from then on, until it is given again', async () => {
  const server = await liveServer()
  const store = connect(server.url)
  const wish = { kind: 'values', device: 'oven', path: 'p' } as const
  const release = store.hold(wish)
  await soon(() => expect(server.subs()).toHaveLength(1))
  server.tell({ op: 'end', id: server.lastSub().id, code: 'forbidden' })
  await soon(() => expect(store.refusalOf(wish)).toBe('forbidden'))
  release()
  expect(store.refusalOf(wish)).toBeUndefined()
})

test('without a token nothing is asked, and it is tried again', async () => {
  const server = await liveServer()
  let signedIn = false
  const store = connect(server.url, async () => {
    if (!signedIn) throw new Error('no session')
    return 'token'
  })
  await soon(() => expect(store.state().name).toBe('reconnecting'))
  expect(server.said).toEqual([])
  signedIn = true
  store.retry()
  await soon(() => expect(store.state().name).toBe('live'))
})

test('many tabs come back spread over time, never later than 30 s', () => {
  expect(reconnectDelayMs(1, 0)).toBe(1000)
  expect(reconnectDelayMs(1, 1)).toBe(2000)
  expect(reconnectDelayMs(20, 1)).toBe(30_000)
})

test('that values are delayed is told until the server says otherwise, or another one is connected to', async () => {
  const server = await liveServer()
  const store = connect(server.url)
  await soon(() => expect(store.state().name).toBe('live'))
  server.tell({ op: 'delay', delayed: true })
  await soon(() => expect(store.state().name).toBe('delayed'))
  store.pause(true)
  expect(store.state().name).toBe('paused')
  store.pause(false)
  expect(store.state().name).toBe('delayed')
  server.tell({ op: 'delay', delayed: false })
  await soon(() => expect(store.state().name).toBe('live'))
  server.tell({ op: 'delay', delayed: true })
  await soon(() => expect(store.state().name).toBe('delayed'))
  server.cut()
  await soon(() => expect(store.state().name).toBe('live'))
})

test('changes of alarms are told as they come, also by a server that tells none [C-22 in part]', async () => {
  const server = await liveServer()
  const store = connect(server.url)
  const told: unknown[] = []
  const end = store.alarmChanges((changes) => told.push(changes))
  store.hold({ kind: 'alarms', device: '*', below: true })
  await soon(() => expect(server.subs()).toHaveLength(1))
  const { id } = server.lastSub()
  const change = { alarm: 'a', device: 'oven', kind: 'again', severity: 5, open: true, at: 1 }
  server.tell({ op: 'alarms', id, changes: [change] })
  server.tell({ op: 'alarms', id })
  server.tell({ op: 'alarms', id, changes: 'all' })
  await soon(() => expect(store.alarmsVersion()).toBe(2))
  expect(told).toEqual([[change], []])
  end()
  server.tell({ op: 'alarms', id, changes: [change] })
  await soon(() => expect(store.alarmsVersion()).toBe(3))
  expect(told).toHaveLength(2)
})
