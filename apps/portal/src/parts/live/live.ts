import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { connection } from '../api/connection.ts'
import { bearer } from '../api/send.ts'
import type { LiveAlarmChange } from './live-messages.ts'
import type { LiveState } from './live-socket.ts'
import {
  type LiveFrame,
  type LiveInbox,
  type LiveStatus,
  type LiveTrail,
  LiveStore,
  type LiveValue,
  pauseWhileHidden,
} from './live-store.ts'
import { useSession } from '../session/session.ts'

const path = '/svc/platform/api/v1/live'
let current: { organization: string; store: LiveStore; end: () => void } | undefined

/** The tab's one live store; another organization gets another. */
function liveStore(organization: string): LiveStore {
  if (current?.organization === organization) return current.store
  current?.end()
  const store = new LiveStore({
    url: `${location.origin.replace(/^http/, 'ws')}${path}`,
    organization,
    token: async () => (await bearer.token()) ?? '',
    whenReachable: connection.whenReachable,
    lost: () => void connection.prove(),
    heard: connection.reached,
  })
  const unwatch = pauseWhileHidden(store, document)
  const stop = connection.subscribe(() => {
    if (connection.state().reachable) store.retry()
  })
  const end = () => {
    unwatch()
    stop()
    store.close()
  }
  current = { organization, store, end }
  return store
}

const useLive = () => liveStore(useSession().organization.resourceId)

/** State of the live socket: live, paused, reconnecting, connecting. */
export function useLiveState(): LiveState {
  const live = useLive()
  return useSyncExternalStore(live.onState, live.state)
}

/**
 * Newest values of a device by path, kept up to date at most `maxHz` times a second while the
 * component shows. `pattern` is one path or `**`; without a device nothing is asked for.
 */
export function useLiveValues(
  device: string | undefined,
  pattern = '**',
  maxHz = 2,
): ReadonlyMap<string, LiveValue> {
  const live = useLive()
  useEffect(
    () => (device ? live.hold({ kind: 'values', device, path: pattern, maxHz }) : undefined),
    [live, device, pattern, maxHz],
  )
  return useSyncExternalStore(
    useCallback((tell: () => void) => live.onValues(device ?? '', tell), [live, device]),
    () => live.valuesOf(device ?? ''),
  )
}

/** The numbers of a path since somebody listens to it; read it beside `useLiveValues`, which redraws. */
export function useLiveTrails(device: string): (path: string) => LiveTrail {
  const live = useLive()
  return useCallback((tag: string) => live.trailOf(device, tag), [live, device])
}

/** Trails of several paths of several devices, each kept up to date while the component shows. */
export function useLiveLines(lines: readonly { device: string; path: string }[], on: boolean) {
  const live = useLive()
  const [version, setVersion] = useState(0)
  const key = lines.map(({ device, path: tag }) => `${device} ${tag}`).join('\n')
  useEffect(() => {
    if (!on || key === '') return undefined
    const pairs = key.split('\n').map((text) => text.split(' '))
    const ends = pairs.flatMap(([device = '', tag = '']) => [
      live.hold({ kind: 'values', device, path: tag, maxHz: 5 }),
      live.onValues(device, () => setVersion((count) => count + 1)),
    ])
    return () => {
      for (const end of ends) end()
    }
  }, [live, key, on])
  return { version, trailOf: live.trailOf }
}

/** Status of every device of the organization as the socket tells it; undefined where it told nothing yet. */
export function useLiveStatus(): (device: string) => LiveStatus | undefined {
  const live = useLive()
  useEffect(() => live.hold({ kind: 'status', device: '*' }), [live])
  useSyncExternalStore(live.onStatus, live.statusVersion)
  return live.statusOf
}

/** Grows whenever the state of a device of the organization changes. */
export function useLiveStatusVersion(): number {
  const live = useLive()
  useEffect(() => live.hold({ kind: 'status', device: '*' }), [live])
  return useSyncExternalStore(live.onStatus, live.statusVersion)
}

/** Grows whenever an alarm of the organization, or of one below, changes. */
export function useLiveAlarmsVersion(): number {
  const live = useLive()
  useEffect(() => live.hold({ kind: 'alarms', device: '*', below: true }), [live])
  return useSyncExternalStore(live.onAlarms, live.alarmsVersion)
}

/** Calls `onChanges` for changes of alarms that the socket tells; `useLiveAlarmsVersion` asks for them. */
export function useLiveAlarmChanges(onChanges: (changes: readonly LiveAlarmChange[]) => void) {
  const live = useLive()
  const tell = useEffectEvent(onChanges)
  useEffect(() => live.alarmChanges((changes) => tell(changes)), [live])
}

/** Unread messages of the person as the socket told them last; undefined before the first change. */
export function useLiveInbox(): LiveInbox | undefined {
  const live = useLive()
  useEffect(() => live.hold({ kind: 'inbox', device: '*' }), [live])
  return useSyncExternalStore(live.onInbox, live.inbox)
}

/** Calls `onFrame` for every frame of the device that the server receives while the component shows. */
export function useLiveFrames(device: string, onFrame: (frame: LiveFrame) => void) {
  const live = useLive()
  const tell = useEffectEvent(onFrame)
  useEffect(() => live.frames(device, (frame) => tell(frame)), [live, device])
}
