import type { z } from 'zod'
import type { Moment } from '@longreach/mappings/time-line-contract'
import type { occurrencesContract } from './contract.ts'
import { isOpen, levelOf, type Occurrence } from './occurrence.ts'

type Announced = z.input<typeof occurrencesContract.events.alarmsChanged.payload>
export type ChangeKind = Announced['kind']

/** Change of an occurrence: when it was, when the server heard of it, and who made it. */
export type Cause = {
  kind: ChangeKind
  t: number
  heard: number
  by?: string | undefined
  comment?: string | undefined
  /** Bits of a device's report, or kind of a rule's change: a repeated one is known by it. */
  from?: string | undefined
  /** Reason that the history shows, such as `superseded`. */
  reason?: string | undefined
}

/** Row of the history as it is written. */
type ChangeRecord = {
  occurrence: string
  n: number
  t: Date
  heard_t: Date
  kind: string
  by_user: string | null
  comment: string | null
  state: object
}

/** Changes of occurrences in memory, collected for one write; the devices are locked meanwhile. */
export class Edits {
  readonly changed = new Set<Occurrence>()
  readonly history: ChangeRecord[] = []
  readonly announced: Announced[] = []
  readonly moments: Moment[] = []
  private readonly taken: Set<string>
  private readonly byId = new Map<string, Occurrence>()
  private readonly bySource = new Map<string, Occurrence[]>()

  /** `taken` are the changes that the occurrences have already (`takenKey`). */
  constructor(rows: Iterable<Occurrence> = [], taken: Iterable<string> = []) {
    this.taken = new Set(taken)
    for (const row of rows) this.place(row)
  }

  /** True for a change that the occurrence has already. */
  has(row: Occurrence, t: number, from: string) {
    return this.taken.has(takenKey(row.id, t, from))
  }

  /** Occurrence of an id, where it was read or made. */
  get(id: string) {
    return this.byId.get(id)
  }

  /** Occurrences of a source that were read or made, by their start. */
  ofSource(deviceId: string, source: string): readonly Occurrence[] {
    return this.bySource.get(keyOf(deviceId, source)) ?? []
  }

  /** Newest occurrence of a source that was not withdrawn. */
  newest(deviceId: string, source: string) {
    return this.ofSource(deviceId, source).findLast(({ withdrawn }) => !withdrawn)
  }

  open(deviceId: string, source: string) {
    return this.ofSource(deviceId, source).find(isOpen)
  }

  /** Adds an occurrence with its first change. */
  add(row: Occurrence, cause: Cause) {
    this.place(row)
    this.change(row, {}, cause)
  }

  /** Changes an occurrence, and records and announces it. */
  change(row: Occurrence, patch: Partial<Occurrence>, cause: Cause) {
    Object.assign(row, patch)
    row.level = levelOf(row.severity)
    row.updated_t = new Date(Math.max(cause.heard, row.updated_t.getTime()))
    if (isOpen(row)) row.closed_t = null
    else row.closed_t ??= new Date(cause.t)
    this.record(row, cause)
    const { id, device_id: deviceId, org: orgResourceId, severity } = row
    const { paths } = row
    const facts = { id, deviceId, orgResourceId, kind: cause.kind, at: cause.t, paths }
    this.announced.push({ ...facts, severity, isOpen: isOpen(row) })
    const moment = momentOf(row, cause)
    if (moment) this.moments.push(moment)
  }

  /** Adds to the history alone; `state` is that of the time. */
  record(row: Occurrence, cause: Omit<Cause, 'kind'> & { kind: string }, state: object = {}) {
    row.changes += 1
    this.changed.add(row)
    const { kind, t, heard, by = null, comment = null, from, reason } = cause
    if (from !== undefined) this.taken.add(takenKey(row.id, t, from))
    this.history.push({
      occurrence: row.id,
      n: row.changes,
      t: new Date(t),
      heard_t: new Date(heard),
      kind,
      by_user: by,
      comment,
      state: { ...shownState(row), ...state, ...(from && { from }), ...(reason && { reason }) },
    })
  }

  /** Marks an occurrence as changed without a line in its history. */
  touch(row: Occurrence, patch: Partial<Occurrence>) {
    Object.assign(row, patch)
    this.changed.add(row)
  }

  private place(row: Occurrence) {
    if (this.byId.has(row.id)) return
    this.byId.set(row.id, row)
    const key = keyOf(row.device_id, row.source)
    const all = [...(this.bySource.get(key) ?? []), row]
    this.bySource.set(
      key,
      all.toSorted((one, other) => one.start_t.getTime() - other.start_t.getTime()),
    )
  }
}

/** Key of a change that came from outside: a repeated one has the same. */
export const takenKey = (id: string, t: number, from: string) => `${id} ${t} ${from}`

const keyOf = (deviceId: string, source: string) => `${deviceId} ${source}`

/** State of an occurrence as its history shows it. */
export const shownState = (row: Occurrence) => ({
  cleared: row.cleared,
  active: row.active,
  ackRequired: row.ack_required,
  resetRequired: row.reset_required,
  enabled: row.enabled,
  action: row.action,
  description: row.description,
  severity: row.severity,
  value: row.value,
})

/** Kinds that stand in the time-line of the device, by the kind of its entry. */
const inTimeLine: Partial<Record<ChangeKind, 'alarm' | 'alarmAction'>> = {
  raised: 'alarm',
  again: 'alarm',
  returned: 'alarm',
  closed: 'alarm',
  late: 'alarm',
  withdrawn: 'alarm',
  restored: 'alarm',
  acknowledged: 'alarmAction',
  reset: 'alarmAction',
  cleared: 'alarmAction',
  commented: 'alarmAction',
  assigned: 'alarmAction',
  shelved: 'alarmAction',
  unshelved: 'alarmAction',
}

function momentOf(row: Occurrence, { kind, t, by }: Cause): Moment | undefined {
  const entry = inTimeLine[kind]
  if (!entry) return undefined
  const { id: alarm, name, severity, paths } = row
  const [path, ...otherPaths] = paths ?? []
  return {
    deviceId: row.device_id,
    orgResourceId: row.org,
    at: new Date(t),
    kind: entry,
    // By its paths it is known who may see the entry; an alarm of the device itself has none.
    data: {
      alarm,
      name,
      severity,
      change: kind,
      ...(path !== undefined && { path }),
      ...(paths && { otherPaths }),
    },
    ...(by !== undefined && { by: by.slice(0, 200) }),
  }
}
