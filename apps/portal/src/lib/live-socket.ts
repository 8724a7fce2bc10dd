import { ServerMessage, type Wish, reconnectDelayMs, wishKey } from './live-protocol.ts'

/** Where the live data comes from, and for whom. */
export type LiveSource = {
  /** Address of the socket, `wss://host/svc/platform/api/v1/live`. */
  url: string
  organization: string
  /** The access token as it is now; asked again on every connection and every minute. */
  token: () => Promise<string>
}

/** `paused`: the tab is hidden. `retryAt` in ms since 1970 while waiting to reconnect. */
export type LiveState =
  | { name: 'connecting' | 'live' | 'paused' }
  | { name: 'reconnecting'; retryAt: number }

export type LiveEvents = {
  message: (message: ServerMessage, wish: Wish | undefined) => void
  state: (state: LiveState) => void
  /** The server does not give what was asked for, or took it away; `code` is the error's code. */
  refused: (wish: Wish, code: string) => void
}

type Entry = { id: number; wish: Wish }
const pingEveryMs = 25_000
const silenceMs = 60_000
const renewEveryMs = 60_000

/**
 * One socket that keeps its subscriptions through every reconnect. It knows nothing of values:
 * it says what arrives and for which wish.
 */
export function openLiveSocket(source: LiveSource, events: LiveEvents) {
  const wishes = new Map<string, Entry>()
  const byId = new Map<number, Wish>()
  let socket: WebSocket | undefined
  let ready = false
  let paused = false
  let closed = false
  let lastId = 0
  let attempt = 0
  let heardAt = 0
  let sentToken = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  const send = (message: object) => socket?.send(JSON.stringify(message))
  const subscribe = (entry: Entry) => {
    byId.delete(entry.id)
    entry.id = ++lastId
    byId.set(entry.id, entry.wish)
    send({ op: 'sub', id: entry.id, ...entry.wish })
  }

  function receive(text: string) {
    heardAt = Date.now()
    const parsed = ServerMessage.safeParse(JSON.parse(text))
    if (!parsed.success) return // a message of a newer server: nothing here waits for it
    const message = parsed.data
    if (message.op === 'ready') {
      ready = true
      attempt = 0
      events.state({ name: paused ? 'paused' : 'live' })
      if (!paused) for (const entry of wishes.values()) subscribe(entry)
    }
    const wish = 'id' in message ? byId.get(message.id) : undefined
    if (wish && (message.op === 'end' || (message.op === 'sub' && !message.ok)))
      events.refused(wish, message.code ?? 'refused')
    events.message(message, wish)
  }

  function reconnect() {
    socket = undefined
    ready = false
    byId.clear()
    if (closed) return
    attempt++
    const delay = reconnectDelayMs(attempt, Math.random())
    events.state({ name: 'reconnecting', retryAt: Date.now() + delay })
    clearTimeout(timer)
    timer = setTimeout(() => void connect(), delay)
  }

  async function connect() {
    clearTimeout(timer)
    try {
      sentToken = await source.token()
    } catch {
      return reconnect() // no token now: the session's own banner says why
    }
    if (closed || socket) return
    const opened = new WebSocket(source.url)
    socket = opened
    heardAt = Date.now()
    opened.addEventListener('open', () =>
      send({ op: 'hello', token: sentToken, organization: source.organization }),
    )
    opened.addEventListener('message', ({ data }) => {
      if (socket === opened) receive(String(data))
    })
    opened.addEventListener('close', () => {
      if (socket === opened) reconnect()
    })
  }

  const beat = setInterval(() => {
    if (!socket || !ready) return
    if (Date.now() - heardAt < silenceMs) return send({ op: 'ping' })
    const silent = socket
    reconnect()
    silent.close()
  }, pingEveryMs)

  const renewal = setInterval(() => void renew(), renewEveryMs)
  async function renew() {
    if (!ready) return
    const token = await source.token().catch(() => sentToken) // keep the old one; the server ends it in time
    if (token === sentToken || !ready) return
    sentToken = token
    send({ op: 'token', token })
  }

  void connect()
  return {
    /** What the subscription of a value message asked for. */
    wishOf: (id: number) => byId.get(id),
    /** Ask for something, or change its rate. */
    want(wish: Wish) {
      const entry = wishes.get(wishKey(wish)) ?? { id: 0, wish }
      const live = ready && !paused
      if (live && byId.has(entry.id)) send({ op: 'unsub', id: entry.id })
      entry.wish = wish
      wishes.set(wishKey(wish), entry)
      if (live) subscribe(entry)
    },
    drop(wish: Wish) {
      const entry = wishes.get(wishKey(wish))
      if (!entry) return
      wishes.delete(wishKey(wish))
      if (byId.delete(entry.id) && ready) send({ op: 'unsub', id: entry.id })
    },
    /** Let go of everything for a while, or ask for it again. */
    pause(on: boolean) {
      if (on === paused) return
      paused = on
      if (!ready) return
      events.state({ name: on ? 'paused' : 'live' })
      for (const entry of wishes.values()) {
        if (!on) subscribe(entry)
        else if (byId.delete(entry.id)) send({ op: 'unsub', id: entry.id })
      }
    },
    /** Tell the server the token of now, when it is another than the last told. */
    renew,
    /** Do not wait for the next attempt. */
    retry() {
      if (!socket && !closed) void connect()
    },
    close() {
      closed = true
      clearTimeout(timer)
      clearInterval(beat)
      clearInterval(renewal)
      socket?.close()
    },
  }
}
export type LiveSocket = ReturnType<typeof openLiveSocket>
