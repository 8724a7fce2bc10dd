import type { Admission } from '@longreach/kit/service'
import type { Device } from '../devices/device.ts'
import { canInSight } from '@longreach/authorization/device-visibility'
import { findState } from '../devices/device-state-store.ts'
import {
  isOffered,
  type LiveLimits,
  type MoreMessage,
  type Subscribe,
  type SubscribeMessage,
} from './live-messages.ts'
import {
  type AlarmChange,
  type AlarmFeed,
  createAlarmFeed,
  isAbout,
  seesAlarmsOf,
  seesChange,
} from './live-alarms.ts'
import { openConsole } from './live-console.ts'
import { createInboxFeed, type InboxFeed, type InboxNumbers } from './live-inbox.ts'
import type { StatusChange } from './live-hub.ts'
import type { Outbox } from './live-outbox.ts'
import { frameTest, type PathTest, pathTest } from '../devices/path-access.ts'
import type { PlatformDeps } from '../deps.ts'
import type { LiveStates } from './live-states.ts'
import { changeFault, createPathList } from './live-path-list.ts'
import { listenToPaths, listenToValues, type PathFeed } from './live-values.ts'

type Subscription = {
  wish: Subscribe
  /** Absent for a subscription on all devices. */
  device?: Device
  alarms?: AlarmFeed
  inbox?: InboxFeed
  paths?: PathFeed
  /** Part of it that the present rights allow. */
  sight: Sight
  stop: () => void
}
/** Changes with the rights while the subscription stays. */
type Sight = { shows: PathTest; showsFrame: ReturnType<typeof frameTest> }
type Context = { deps: PlatformDeps; states: LiveStates; outbox: Outbox; limits: LiveLimits }

/** Subscriptions of one socket, checked against its rights. */
export function createLiveSubscriptions(context: Context) {
  const { states, outbox, limits } = context
  const subscriptions = new Map<number, Subscription>()

  const stop = (id: number) => {
    subscriptions.get(id)?.stop()
    subscriptions.delete(id)
    outbox.close(id)
  }

  return {
    async add(wish: SubscribeMessage, admission: Admission) {
      const refuse = (code: string) => outbox.send({ op: 'sub', id: wish.id, ok: false, code })
      if (!isOffered(wish)) return refuse('platform.unknown_kind')
      const unwanted = wishFault(subscriptions, wish, limits)
      if (unwanted !== undefined) return refuse(unwanted)
      if (wish.device === '*') {
        const toAll = subscriptionToAll(outbox, wish)
        if (!toAll) return refuse('platform.not_found')
        subscriptions.set(wish.id, toAll)
        return outbox.send({ op: 'sub', id: wish.id, ok: true })
      }
      const device = await states.directory.get(wish.device)
      const fault = refusalCode(admission, wish, device)
      if (!device || fault !== undefined) return refuse(fault ?? 'platform.not_found')
      // Another message may have taken the number meanwhile.
      if (subscriptions.has(wish.id)) return refuse('platform.id_in_use')
      if (wish.kind === 'values') outbox.open(wish.id, wish.maxHz)
      const sight = sightOf(admission, device)
      const { sendPresent, ...heard } = listen(context, { wish, device, sight })
      outbox.send({ op: 'sub', id: wish.id, ok: true, ...heard.paths?.faults() })
      subscriptions.set(wish.id, { wish, device, sight, ...heard })
      return sendPresent()
    },
    change: (message: MoreMessage) => changePaths(subscriptions, message, context),
    remove: stop,
    /** End what is no longer allowed, of one device or of all. */
    recheck(admission: Admission, deviceId?: string) {
      for (const [id, { wish, device, sight, paths }] of subscriptions) {
        if (!device || (deviceId !== undefined && device.id !== deviceId)) continue
        const gone = states.directory.known(device.id) !== device
        if (!gone && isAllowed(admission, wish, device)) {
          Object.assign(sight, sightOf(admission, device))
          paths?.recheck()
          continue
        }
        stop(id)
        const seen = !gone && canInSight(admission, 'read', device)
        const code = seen ? 'auth.missing_permission' : 'platform.not_found'
        outbox.send({ op: 'end', id, code })
      }
    },
    status(admission: Admission, deviceId: string, change: StatusChange) {
      const device = states.directory.known(deviceId)
      if (!device) return
      for (const { wish } of subscriptions.values()) {
        if (wish.kind !== 'status' || (wish.device !== '*' && wish.device !== deviceId)) continue
        if (!canInSight(admission, 'read', device)) continue
        outbox.send({ op: 'status', id: wish.id, device: deviceId, ...change })
      }
    },
    hearsAlarms: () => [...subscriptions.values()].some(({ alarms }) => alarms !== undefined),
    alarm(admission: Admission, device: Device, change: AlarmChange) {
      if (!seesChange(admission, device, change)) return
      for (const { wish, alarms } of subscriptions.values())
        if (alarms && isAbout(wish, admission, device)) alarms.change(change)
    },
    inbox(change: InboxNumbers) {
      for (const { inbox } of subscriptions.values()) inbox?.change(change)
    },
    end() {
      for (const id of subscriptions.keys()) stop(id)
    },
  }
}

type Subscriptions = ReadonlyMap<number, Subscription>

/** Room for a list of paths; `own` paths of the list itself do not count against it. */
const roomOf = (subscriptions: Subscriptions, limits: LiveLimits, own = 0) => ({
  perSubscription: limits.paths,
  left: [...subscriptions.values()].reduce(
    (left, { paths }) => left - (paths?.list.size ?? 0),
    limits.pathsOfSocket + own,
  ),
})

/** Code of the refusal of a wish for what it asks; undefined where that is in order. */
function wishFault(subscriptions: Subscriptions, wish: Subscribe, limits: LiveLimits) {
  if (subscriptions.has(wish.id)) return 'platform.id_in_use'
  if (subscriptions.size >= limits.subscriptions) return 'platform.too_many'
  if (!wish.paths) return wish.index ? 'platform.no_list' : undefined
  if (wish.kind !== 'values' || wish.device === '*') return 'platform.no_list'
  const change = { add: wish.paths, drop: [] }
  return changeFault(createPathList(), change, roomOf(subscriptions, limits))
}

/** Adds paths to the list of a subscription, and takes others out of it: all of them or none. */
async function changePaths(
  subscriptions: Subscriptions,
  { id, add, drop }: MoreMessage,
  { outbox, limits }: Context,
) {
  const { paths } = subscriptions.get(id) ?? {}
  if (!paths) return outbox.send({ op: 'more', id, ok: false, code: 'platform.no_list' })
  const room = roomOf(subscriptions, limits, paths.list.size)
  const code = changeFault(paths.list, { add, drop }, room)
  if (code !== undefined) return outbox.send({ op: 'more', id, ok: false, code })
  const { sendPresent, ...answer } = paths.change({ add, drop })
  outbox.send({ op: 'more', id, ok: true, ...answer })
  return sendPresent()
}

/** Code of a refusal of a subscription on a device; undefined where it is allowed. */
function refusalCode(admission: Admission, wish: Subscribe, device: Device | undefined) {
  if (!device || !canInSight(admission, 'read', device)) return 'platform.not_found'
  // An inbox is that of a person, not of a device.
  if (wish.kind === 'inbox') return 'platform.not_found'
  return isAllowed(admission, wish, device) ? undefined : 'auth.missing_permission'
}

const isAllowed = (admission: Admission, { kind }: Subscribe, device: Device) =>
  kind === 'alarms'
    ? seesAlarmsOf(admission, device)
    : canInSight(admission, kind === 'console' ? 'update' : 'read', device)

/**
 * Subscription on all devices, of the kinds that have one, or on the own inbox; `status`, `alarm` and `inbox` of all
 * subscriptions tell it.
 */
function subscriptionToAll(outbox: Outbox, wish: Subscribe): Subscription | undefined {
  if (wish.kind === 'status') return { wish, sight: blind, stop: () => undefined }
  if (wish.kind === 'inbox') {
    const inbox = createInboxFeed(outbox, wish.id)
    return { wish, sight: blind, inbox, stop: inbox.stop }
  }
  if (wish.kind !== 'alarms') return undefined
  const alarms = createAlarmFeed(outbox, wish.id)
  return { wish, sight: blind, alarms, stop: alarms.stop }
}

const blind: Sight = { shows: () => false, showsFrame: () => false }
const sightOf = (admission: Admission, device: Device): Sight => ({
  shows: pathTest(admission, 'read', device),
  showsFrame: frameTest(admission, device),
})

type Listening = { wish: Subscribe; device: Device; sight: Sight }

type Heard = {
  alarms?: AlarmFeed
  paths?: PathFeed
  stop: () => void
  /** Sends the present state, right after the answer to the subscription. */
  sendPresent: () => Promise<void>
}

/** Passes on what comes of a device. */
function listen(context: Context, listening: Listening): Heard {
  const { deps, states, outbox } = context
  const { wish, device, sight } = listening
  const { id, kind } = wish
  if (kind === 'values') {
    const about = { log: deps.log, states, outbox }
    if (!wish.paths) return listenToValues(about, listening)
    const paths = listenToPaths(about, listening)
    return { paths, stop: paths.stop, sendPresent: paths.sendPresent }
  }
  if (kind === 'status') {
    // Changes are told by `status` of all subscriptions.
    return { stop: () => undefined, sendPresent: () => sendStatus(context, listening) }
  }
  if (kind === 'alarms') {
    const alarms = createAlarmFeed(outbox, id)
    return { alarms, stop: alarms.stop, sendPresent: async () => undefined }
  }
  const { stop, sendKept } = openConsole(device, {
    deps,
    watching: states.watching,
    send(frame) {
      if (sight.showsFrame(frame)) outbox.frame({ op: 'frame', id, ...frame })
    },
  })
  return {
    stop,
    // Another process is not waited for: the socket goes on meanwhile.
    async sendPresent() {
      sendKept().catch((error: unknown) =>
        deps.log.error({ error }, 'the frames of a console could not be read'),
      )
    },
  }
}

async function sendStatus({ deps, outbox }: Context, { wish: { id }, device }: Listening) {
  const state = await findState(deps.db, device.id)
  if (!state) return
  const at = state.connected ? state.connected_at : state.disconnected_at
  outbox.send({
    op: 'status',
    id,
    device: device.id,
    connected: state.connected,
    at: at?.getTime() ?? null,
    configurationApplied: state.configuration_applied,
  })
}
