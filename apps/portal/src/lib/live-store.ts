import { type ServerMessage, type Wish, wishKey } from './live-protocol.ts'
import { type LiveSource, type LiveState, openLiveSocket } from './live-socket.ts'

/** The newest value of a path. `at` in ms since 1970 by the device's clock, `heardAt` by this browser's. */
export type LiveValue = { value: unknown; at: number; quality: unknown; heardAt: number }
export type LiveStatus = { connected: boolean; at: number | null; configurationApplied?: boolean }
export type LiveFrame = Extract<ServerMessage, { op: 'frame' }>

const none: ReadonlyMap<string, LiveValue> = new Map()
const hiddenForMs = 30_000

/** Runs `work` once before the next frame is drawn; without a screen, soon. */
const soon = (work: () => void) =>
  typeof requestAnimationFrame === 'function' && document.visibilityState === 'visible'
    ? requestAnimationFrame(work)
    : setTimeout(work, 50)

/**
 * Live values, device status and frames of one organization over one socket. Listeners are counted:
 * the server is asked once for a thing, at the highest rate that anybody wants. What changed is
 * told once per frame, so a thousand values cost one pass through React.
 */
export function createLiveStore(source: LiveSource) {
  const values = new Map<string, ReadonlyMap<string, LiveValue>>()
  const status = new Map<string, LiveStatus>()
  const refusals = new Map<string, string>()
  const held = new Map<string, { wish: Wish; rates: (number | undefined)[] }>()
  const listeners = new Map<string, Set<() => void>>()
  const frameListeners = new Map<string, Set<(frame: LiveFrame) => void>>()
  const fresh = new Map<string, Map<string, LiveValue>>()
  const dirty = new Set<string>()
  let state: LiveState = { name: 'connecting' }
  let statusVersion = 0
  let planned = false

  const touch = (key: string) => {
    dirty.add(key)
    if (planned) return
    planned = true
    soon(flush)
  }

  function flush() {
    planned = false
    for (const [device, changed] of fresh)
      values.set(device, new Map([...(values.get(device) ?? none), ...changed]))
    fresh.clear()
    const keys = [...dirty]
    dirty.clear()
    for (const key of keys) for (const tell of listeners.get(key) ?? []) tell()
  }

  function keep(wish: Wish | undefined, [, path, at, value, quality]: ValueMessage) {
    if (wish?.kind !== 'values') return
    const known = fresh.get(wish.device) ?? new Map<string, LiveValue>()
    fresh.set(wish.device, known)
    const older = known.get(path) ?? values.get(wish.device)?.get(path)
    if (older && older.at > at) return
    known.set(path, { value, at, quality, heardAt: Date.now() })
    touch(`device ${wish.device}`)
  }

  function receive(message: ServerMessage, wish: Wish | undefined) {
    if (message.op === 'values') for (const one of message.v) keep(socket.wishOf(one[0]), one)
    if (message.op === 'status') {
      const { connected, at, configurationApplied: applied } = message
      const entry = {
        connected,
        at,
        ...(applied !== undefined && { configurationApplied: applied }),
      }
      status.set(message.device, { ...status.get(message.device), ...entry })
      statusVersion++
      touch('status')
    }
    if (message.op === 'frame' && wish)
      for (const tell of frameListeners.get(wish.device) ?? []) tell(message)
    if (message.op === 'sub' && message.ok && wish && refusals.delete(wishKey(wish))) touch('state')
  }

  const socket = openLiveSocket(source, {
    message: receive,
    state: (next) => {
      state = next
      touch('state')
    },
    refused: (wish, code) => {
      refusals.set(wishKey(wish), code)
      touch('state')
    },
  })

  const listen = (key: string, tell: () => void) => {
    const all = listeners.get(key) ?? new Set()
    listeners.set(key, all.add(tell))
    return () => void all.delete(tell)
  }

  /** Ask for `wish` until the returned function is called. */
  function hold(wish: Wish) {
    const key = wishKey(wish)
    const rate = wish.kind === 'values' ? wish.maxHz : undefined
    const entry = held.get(key) ?? { wish, rates: [] }
    const before = entry.rates.length === 0 ? null : highest(entry.rates)
    entry.rates.push(rate)
    held.set(key, entry)
    if (before !== highest(entry.rates)) socket.want(withRate(wish, highest(entry.rates)))
    let done = false
    return () => {
      if (done) return
      done = true
      entry.rates.splice(entry.rates.indexOf(rate), 1)
      if (entry.rates.length > 0) return
      held.delete(key)
      refusals.delete(key)
      socket.drop(wish)
    }
  }

  return {
    state: () => state,
    /** Newest values of a device by path; the same map until one of them changes. */
    valuesOf: (device: string) => values.get(device) ?? none,
    statusOf: (device: string) => status.get(device),
    /** Grows with every status that arrives. */
    statusVersion: () => statusVersion,
    /** Why the server does not give what was asked for; undefined while it does. */
    refusalOf: (wish: Wish) => refusals.get(wishKey(wish)),
    hold,
    onValues: (device: string, tell: () => void) => listen(`device ${device}`, tell),
    onStatus: (tell: () => void) => listen('status', tell),
    onState: (tell: () => void) => listen('state', tell),
    /** Every frame of a device from now on, for its console. */
    frames(device: string, tell: (frame: LiveFrame) => void) {
      const all = frameListeners.get(device) ?? new Set()
      frameListeners.set(device, all.add(tell))
      const release = hold({ kind: 'console', device })
      return () => {
        all.delete(tell)
        release()
      }
    },
    pause: socket.pause,
    retry: socket.retry,
    renew: socket.renew,
    close: socket.close,
  }
}
export type LiveStore = ReturnType<typeof createLiveStore>
type ValueMessage = Extract<ServerMessage, { op: 'values' }>['v'][number]

/** The highest of the rates; one without a limit wins. */
const highest = (rates: (number | undefined)[]) =>
  rates.reduce((most, rate) =>
    most === undefined || rate === undefined ? undefined : Math.max(most, rate),
  )
const withRate = (wish: Wish, maxHz: number | undefined): Wish => {
  if (wish.kind !== 'values') return wish
  const { kind, device, path } = wish
  return { kind, device, path, ...(maxHz !== undefined && { maxHz }) }
}

/** Lets go of the server while the tab has been hidden for 30 s. Returns the end of watching. */
export function pauseWhileHidden(store: LiveStore, page: Document, afterMs = hiddenForMs) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(timer)
    if (page.visibilityState === 'hidden') timer = setTimeout(() => store.pause(true), afterMs)
    else store.pause(false)
  }
  page.addEventListener('visibilitychange', look)
  return () => {
    clearTimeout(timer)
    page.removeEventListener('visibilitychange', look)
  }
}
