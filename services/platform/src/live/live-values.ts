import type { FastifyBaseLogger } from 'fastify'
import type { Device, Target, ValueListener } from '../devices/device.ts'
import { lastValues } from '../devices/last-values.ts'
import type { PathTest } from '../devices/path-access.ts'
import { pathMatches } from '../queries/path-patterns.ts'
import type { Subscribe } from './live-messages.ts'
import type { Outbox } from './live-outbox.ts'
import { createPathList, type PathList } from './live-path-list.ts'
import type { LiveStates } from './live-states.ts'

type Context = { log: FastifyBaseLogger; states: LiveStates; outbox: Outbox }
type Listening = {
  wish: Subscribe
  device: Device
  /** Changes with the rights. */
  sight: { readonly shows: PathTest }
}

/** Values of the paths that a pattern names. */
export function listenToValues(context: Context, { wish, device, sight }: Listening) {
  const { id, path: pattern } = wish
  return passOnValues(context, device, {
    send: (path, point) => {
      if (pathMatches(pattern, path) && sight.shows(path)) context.outbox.value(id, path, point)
    },
    targets: () => targetsOf(device, pattern).filter(({ leaf }) => sight.shows(leaf.path)),
  })
}

/**
 * Values of a list of paths that grows and shrinks. Of a path that may not be read nothing is sent, and its index is
 * in `notAllowed`, whether the device has it or not; `unknown` are the indexes of those that may be read and are not there.
 */
export function listenToPaths(context: Context, { wish, device, sight }: Listening) {
  const { id, index: isIndexed } = wish
  const { outbox } = context
  const list = createPathList()
  list.add(wish.paths ?? [])
  const keyOf = (path: string) => (isIndexed ? list.indexOf(path) : path)
  const targets = (paths: readonly string[]) =>
    paths.flatMap((path) => (sight.shows(path) ? (device.byPath.get(path) ?? []) : []))
  const { stop, sendOf, sendPresent } = passOnValues(context, device, {
    send: (path, point) => {
      if (list.has(path) && sight.shows(path)) outbox.value(id, keyOf(path) ?? path, point)
    },
    targets: () => targets(list.paths()),
  })
  const faults = (paths: readonly string[]) => faultsOf(list, paths, device, sight.shows)
  const forget = (paths: readonly string[]) => {
    for (const path of paths) outbox.forget(id, keyOf(path) ?? path)
  }
  let told = faults(list.paths())

  return {
    stop,
    sendPresent,
    list,
    /** Faults of the paths as they are in the answer to the subscription. */
    faults: () => told,
    /** Changes the list; answers the index of the first added path and the faults of those that were added. */
    change({ add, drop }: { add: readonly string[]; drop: readonly string[] }) {
      forget(drop)
      list.drop(drop)
      const from = list.add(add)
      told = faults(list.paths())
      return { from, ...faults(add), sendPresent: () => sendOf(() => targets(add)) }
    },
    /** Takes the present rights and the present configuration of the device: says what changed. */
    recheck() {
      const before = told
      told = faults(list.paths())
      if (isSameFaults(before, told)) return
      const hidden = new Set([...before.notAllowed, ...before.unknown])
      const isHidden = (path: string) => hidden.has(list.indexOf(path) ?? -1)
      const paths = list.paths()
      forget(paths.filter((path) => !sight.shows(path)))
      outbox.send({ op: 'paths', id, ...told })
      sendOf(() => targets(paths.filter((path) => isHidden(path)))).catch((error: unknown) =>
        context.log.error({ error }, 'the values of paths that may be read now were not sent'),
      )
    },
  }
}
export type PathFeed = ReturnType<typeof listenToPaths>

type Faults = { notAllowed: number[]; unknown: number[] }

function faultsOf(list: PathList, paths: readonly string[], device: Device, shows: PathTest) {
  const faults: Faults = { notAllowed: [], unknown: [] }
  for (const path of paths) {
    const index = list.indexOf(path) ?? -1
    if (!shows(path)) faults.notAllowed.push(index)
    else if (!device.byPath.has(path)) faults.unknown.push(index)
  }
  return faults
}

const isSameFaults = (before: Faults, now: Faults) =>
  isSameList(before.notAllowed, now.notAllowed) && isSameList(before.unknown, now.unknown)
const isSameList = (before: readonly number[], now: readonly number[]) =>
  before.length === now.length && before.every((index, place) => index === now[place])

type Passing = {
  /** Sends a value if it is subscribed to, and may be read now. */
  send: (path: string, point: Parameters<ValueListener>[1]) => void
  /** Targets whose newest values are sent at first. */
  targets: () => readonly Target[]
}

function passOnValues({ states }: Context, device: Device, { send, targets }: Passing) {
  const listener: ValueListener = ({ leaf, last }, point) => {
    // Values that a device sends after an outage, or that are imported, are history and not the present value.
    if (last && last.t > point.t) return
    send(leaf.path, point)
  }
  device.listeners.add(listener)
  const leave = states.watching.begin(device.id, 'values')
  const sendOf = async (wanted: () => readonly Target[]) => {
    const telemetry = await states.telemetry()
    // Rights may go while the values are read: each is looked at once more.
    for (const [{ leaf }, point] of await lastValues(telemetry, device, wanted()))
      send(leaf.path, point)
  }
  return {
    stop() {
      device.listeners.delete(listener)
      leave()
    },
    sendOf,
    sendPresent: () => sendOf(targets),
  }
}

/** The paths of a device that a pattern names. */
const targetsOf = (device: Device, pattern: string): Target[] => {
  if (!pattern.includes('*')) {
    const target = device.byPath.get(pattern)
    return target ? [target] : []
  }
  return [...device.byPath.values()].filter(({ leaf }) => pathMatches(pattern, leaf.path))
}
