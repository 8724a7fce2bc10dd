import type { LiveAlarmChange, ServerMessage } from './live-messages.ts'
import { type Wish, wishKey } from './live-protocol.ts'
import { type LiveSource, LiveSocket, type LiveState } from './live-socket.ts'

/** The newest value of a path. `at` in ms since 1970 by the device's clock, `heardAt` by this browser's. */
export type LiveValue = { value: unknown; at: number; quality: unknown; heardAt: number }
export type LiveStatus = { connected: boolean; at: number | null; configurationApplied?: boolean }
/** Unread messages of the person, and the severity of the newest; -1 when messages were read. */
export type LiveInbox = { unread: number; severity: number }
export type LiveFrame = Extract<ServerMessage, { op: 'frame' }>

/** The numbers of a path as they arrived since it is listened to, oldest first; switches are 0 and 1. */
export type LiveTrail = { times: readonly number[]; values: readonly number[] }
type Trail = { times: number[]; values: number[]; shown: LiveTrail | undefined }

const noTrail: LiveTrail = { times: [], values: [] }
const longestTrail = 1200
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
export class LiveStore {
  readonly #socket: LiveSocket
  readonly #values = new Map<string, ReadonlyMap<string, LiveValue>>()
  readonly #fresh = new Map<string, Map<string, LiveValue>>()
  readonly #status = new Map<string, LiveStatus>()
  readonly #trails = new Map<string, Map<string, Trail>>()
  readonly #refusals = new Map<string, string>()
  readonly #held = new Map<string, { rates: (number | undefined)[] }>()
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #frameListeners = new Map<string, Set<(frame: LiveFrame) => void>>()
  readonly #alarmListeners = new Set<(changes: readonly LiveAlarmChange[]) => void>()
  readonly #dirty = new Set<string>()
  #state: LiveState = { name: 'connecting' }
  #statusVersion = 0
  #alarmsVersion = 0
  #inbox: LiveInbox | undefined
  #planned = false

  constructor(source: LiveSource) {
    this.#socket = new LiveSocket(source, {
      message: (message, wish) => this.#receive(message, wish),
      state: (next) => {
        this.#state = next
        this.#touch('state')
      },
      refused: (wish, code) => {
        this.#refusals.set(wishKey(wish), code)
        this.#touch('state')
      },
    })
  }

  // These are passed on as functions, so they are bound.
  state = () => this.#state
  /** Newest values of a device by path; the same map until one of them changes. */
  valuesOf = (device: string) => this.#values.get(device) ?? none
  /** The same trail until something arrives. */
  trailOf = (device: string, path: string): LiveTrail => {
    const trail = this.#trails.get(device)?.get(path)
    if (!trail) return noTrail
    trail.shown ??= { times: [...trail.times], values: [...trail.values] }
    return trail.shown
  }
  statusOf = (device: string) => this.#status.get(device)
  /** Grows with every status that arrives. */
  statusVersion = () => this.#statusVersion
  /** Grows with every change of alarms that is told. */
  alarmsVersion = () => this.#alarmsVersion
  /** Unread messages as the socket told them last; a new object with every message. */
  inbox = () => this.#inbox
  /** Why the server does not give what was asked for; undefined while it does. */
  refusalOf = (wish: Wish) => this.#refusals.get(wishKey(wish))
  onValues = (device: string, tell: () => void) => this.#listen(`device ${device}`, tell)
  onStatus = (tell: () => void) => this.#listen('status', tell)
  onAlarms = (tell: () => void) => this.#listen('alarms', tell)
  onInbox = (tell: () => void) => this.#listen('inbox', tell)
  onState = (tell: () => void) => this.#listen('state', tell)
  pause = (on: boolean) => this.#socket.pause(on)
  retry = () => this.#socket.retry()
  renew = () => this.#socket.renew()
  close = () => this.#socket.close()

  /** Ask for `wish` until the returned function is called. */
  hold(wish: Wish) {
    const key = wishKey(wish)
    const rate = wish.kind === 'values' ? wish.maxHz : undefined
    const entry = this.#held.get(key) ?? { rates: [] }
    const known = entry.rates.length > 0
    const before = highest(entry.rates)
    entry.rates.push(rate)
    this.#held.set(key, entry)
    const now = highest(entry.rates)
    if (!known || before !== now) this.#socket.want(withRate(wish, now))
    let done = false
    return () => {
      if (done) return
      done = true
      entry.rates.splice(entry.rates.indexOf(rate), 1)
      if (entry.rates.length > 0) return
      this.#held.delete(key)
      this.#refusals.delete(key)
      this.#socket.drop(wish)
      // A trail with a hole in it would show a line where nothing was heard.
      if (wish.kind === 'values') this.#trails.delete(wish.device)
    }
  }

  /** Every change of an alarm that is told from now on. */
  alarmChanges(tell: (changes: readonly LiveAlarmChange[]) => void) {
    this.#alarmListeners.add(tell)
    return () => void this.#alarmListeners.delete(tell)
  }

  /** Every frame of a device from now on, for its console. */
  frames(device: string, tell: (frame: LiveFrame) => void) {
    const all = this.#frameListeners.get(device) ?? new Set()
    this.#frameListeners.set(device, all.add(tell))
    const release = this.hold({ kind: 'console', device })
    return () => {
      all.delete(tell)
      release()
    }
  }

  #listen(key: string, tell: () => void) {
    const all = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, all.add(tell))
    return () => void all.delete(tell)
  }

  #touch(key: string) {
    this.#dirty.add(key)
    if (this.#planned) return
    this.#planned = true
    soon(() => this.#flush())
  }

  #flush() {
    this.#planned = false
    for (const [device, changed] of this.#fresh)
      this.#values.set(device, new Map([...this.valuesOf(device), ...changed]))
    this.#fresh.clear()
    const keys = [...this.#dirty]
    this.#dirty.clear()
    for (const key of keys) for (const tell of this.#listeners.get(key) ?? []) tell()
  }

  #receive(message: ServerMessage, wish: Wish | undefined) {
    if (message.op === 'values') for (const one of message.v) this.#keep(one)
    if (message.op === 'status') this.#keepStatus(message)
    if (message.op === 'alarms') this.#countAlarms(message)
    if (message.op === 'inbox') this.#keepInbox(message)
    if (message.op === 'frame') this.#tellFrame(message, wish)
    if (message.op === 'sub' && message.ok && wish && this.#refusals.delete(wishKey(wish)))
      this.#touch('state')
  }

  #tellFrame(frame: LiveFrame, wish: Wish | undefined) {
    for (const tell of this.#frameListeners.get(wish?.device ?? '') ?? []) tell(frame)
  }

  #countAlarms({ changes = [] }: Extract<ServerMessage, { op: 'alarms' }>) {
    this.#alarmsVersion++
    for (const tell of this.#alarmListeners) tell(changes)
    this.#touch('alarms')
  }

  #keepInbox({ unread, severity }: LiveInbox) {
    this.#inbox = { unread, severity }
    this.#touch('inbox')
  }

  #keep([id, path, at, value, quality]: ValueMessage) {
    const wish = this.#socket.wishOf(id)
    if (wish?.kind !== 'values') return
    const changed = this.#fresh.get(wish.device) ?? new Map<string, LiveValue>()
    this.#fresh.set(wish.device, changed)
    const older = changed.get(path) ?? this.#values.get(wish.device)?.get(path)
    if (older && older.at > at) return
    changed.set(path, { value, at, quality, heardAt: Date.now() })
    if (typeof value === 'number' || typeof value === 'boolean')
      this.#follow(wish.device, path, { at, value: Number(value) })
    this.#touch(`device ${wish.device}`)
  }

  #follow(device: string, path: string, { at, value }: { at: number; value: number }) {
    const trails = this.#trails.get(device) ?? new Map<string, Trail>()
    this.#trails.set(device, trails)
    const trail = trails.get(path) ?? { times: [], values: [], shown: undefined }
    trails.set(path, trail)
    trail.shown = undefined
    trail.times.push(at)
    trail.values.push(value)
    if (trail.times.length <= longestTrail) return
    trail.times.splice(0, longestTrail / 4)
    trail.values.splice(0, longestTrail / 4)
  }

  #keepStatus(message: Extract<ServerMessage, { op: 'status' }>) {
    const { device, connected, at, configurationApplied: applied } = message
    const entry = { connected, at, ...(applied !== undefined && { configurationApplied: applied }) }
    this.#status.set(device, { ...this.#status.get(device), ...entry })
    this.#statusVersion++
    this.#touch('status')
  }
}
type ValueMessage = Extract<ServerMessage, { op: 'values' }>['v'][number]

/** The highest of the rates; one without a limit wins. */
const highest = (rates: readonly (number | undefined)[]) => {
  const limits = rates.filter((rate) => rate !== undefined)
  return limits.length === rates.length && limits.length > 0 ? Math.max(...limits) : undefined
}
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
