import { readMessage, type ServerMessage } from './live-messages.ts'
import { type Wish, reconnectDelayMs, wishKey } from './live-protocol.ts'

/** Address and credentials of the live socket. */
export type LiveSource = {
  /** Address of the socket, `wss://host/svc/platform/api/v1/live`. */
  url: string
  organization: string
  /** The access token as it is now; asked again on every connection and every minute. */
  token: () => Promise<string>
  /** Resolves when the server can be asked; nothing is tried before. */
  whenReachable?: () => Promise<void>
  /** Told when the socket closed although nobody wanted that. */
  lost?: () => void
  /** Told of every message. */
  heard?: () => void
}

/**
 * `delayed`: values may come some seconds late, because servers do not reach each other. `paused`: the tab is
 * hidden. `retryAt` in ms since 1970 while waiting to reconnect.
 */
export type LiveState =
  | { name: 'connecting' | 'live' | 'delayed' | 'paused' }
  | { name: 'reconnecting'; retryAt: number }

type LiveEvents = {
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
 * Socket that keeps its subscriptions after a reconnect. It does not read values: it passes each
 * message on with the request of its subscription.
 */
export class LiveSocket {
  readonly #source: LiveSource
  readonly #events: LiveEvents
  readonly #wishes = new Map<string, Entry>()
  readonly #byId = new Map<number, Wish>()
  readonly #beats: ReturnType<typeof setInterval>[]
  #socket: WebSocket | undefined
  #ready = false
  #paused = false
  #delayed = false
  #closed = false
  #lastId = 0
  #attempt = 0
  #heardAt = 0
  #sentToken = ''
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(source: LiveSource, events: LiveEvents) {
    this.#source = source
    this.#events = events
    this.#beats = [
      setInterval(() => this.#beat(), pingEveryMs),
      setInterval(() => void this.renew(), renewEveryMs),
    ]
    void this.#connect()
  }

  /** Request of the subscription that a value message belongs to. */
  wishOf(id: number) {
    return this.#byId.get(id)
  }

  /** Subscribes, or changes the rate of a subscription. */
  want(wish: Wish) {
    const key = wishKey(wish)
    const entry = this.#wishes.get(key) ?? { id: 0, wish }
    const live = this.#ready && !this.#paused
    if (live && this.#byId.has(entry.id)) this.#send({ op: 'unsub', id: entry.id })
    entry.wish = wish
    this.#wishes.set(key, entry)
    if (live) this.#subscribe(entry)
  }

  drop(wish: Wish) {
    const entry = this.#wishes.get(wishKey(wish))
    if (!entry) return
    this.#wishes.delete(wishKey(wish))
    this.#release(entry)
  }

  /** Let go of everything for a while, or ask for it again. */
  pause(on: boolean) {
    if (on === this.#paused) return
    this.#paused = on
    if (!this.#ready) return
    this.#tellState()
    for (const entry of this.#wishes.values()) {
      if (on) this.#release(entry)
      else this.#subscribe(entry)
    }
  }

  /** Tell the server the token of now, when it is another than the last told. */
  async renew() {
    if (!this.#ready) return
    const token = await this.#source.token().catch(() => this.#sentToken) // keep the old one; the server ends it in time
    if (token === this.#sentToken || !this.#ready) return
    this.#sentToken = token
    this.#send({ op: 'token', token })
  }

  /** Do not wait for the next attempt. */
  retry() {
    if (!this.#socket && !this.#closed) void this.#connect()
  }

  close() {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const beat of this.#beats) clearInterval(beat)
    this.#socket?.close()
  }

  #send(message: object) {
    this.#socket?.send(JSON.stringify(message))
  }

  #subscribe(entry: Entry) {
    this.#byId.delete(entry.id)
    entry.id = ++this.#lastId
    this.#byId.set(entry.id, entry.wish)
    this.#send({ op: 'sub', id: entry.id, ...entry.wish })
  }

  #release(entry: Entry) {
    if (this.#byId.delete(entry.id) && this.#ready) this.#send({ op: 'unsub', id: entry.id })
  }

  #receive(text: string) {
    this.#heardAt = Date.now()
    this.#source.heard?.()
    const message = readMessage(text)
    if (message === undefined) return // a message of a newer server: nothing here waits for it
    if (message.op === 'ready') this.#begin()
    if (message.op === 'delay') {
      this.#delayed = message.delayed
      this.#tellState()
    }
    const wish = 'id' in message ? this.#byId.get(message.id) : undefined
    if (wish && (message.op === 'end' || (message.op === 'sub' && !message.ok)))
      this.#events.refused(wish, message.code ?? 'refused')
    this.#events.message(message, wish)
  }

  #tellState() {
    const present = this.#delayed ? 'delayed' : 'live'
    this.#events.state({ name: this.#paused ? 'paused' : present })
  }

  #begin() {
    this.#ready = true
    this.#delayed = false
    this.#attempt = 0
    this.#tellState()
    if (!this.#paused) for (const entry of this.#wishes.values()) this.#subscribe(entry)
  }

  async #connect() {
    clearTimeout(this.#timer)
    await this.#source.whenReachable?.()
    if (this.#closed || this.#socket) return
    try {
      this.#sentToken = await this.#source.token()
    } catch {
      return this.#reconnect() // no token or no server now: the session's own banner says why
    }
    if (this.#closed || this.#socket) return
    const opened = new WebSocket(this.#source.url)
    this.#socket = opened
    this.#heardAt = Date.now()
    const { organization } = this.#source
    opened.addEventListener('open', () =>
      this.#send({ op: 'hello', token: this.#sentToken, organization }),
    )
    opened.addEventListener('message', ({ data }) => {
      if (this.#socket === opened) this.#receive(String(data))
    })
    opened.addEventListener('close', () => {
      if (this.#socket !== opened) return
      this.#source.lost?.()
      this.#reconnect()
    })
  }

  #reconnect() {
    this.#socket = undefined
    this.#ready = false
    this.#byId.clear()
    if (this.#closed) return
    this.#attempt++
    const delay = reconnectDelayMs(this.#attempt, Math.random())
    this.#events.state({ name: 'reconnecting', retryAt: Date.now() + delay })
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#connect(), delay)
  }

  #beat() {
    if (!this.#socket || !this.#ready) return
    if (Date.now() - this.#heardAt < silenceMs) return this.#send({ op: 'ping' })
    const silent = this.#socket
    this.#source.lost?.()
    this.#reconnect()
    silent.close()
  }
}
