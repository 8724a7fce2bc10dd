import type { Page } from '@longreach/rules/replay'
import { startReplay } from '@longreach/rules/replay'
import { type Miss, Misses } from '@longreach/rules/misses'
import { type Occurrence, occurrencesOf } from '@longreach/rules/occurrences'
import { TruthTrace } from '@longreach/rules/truth-trace'
import type { TelemetryStore } from '@longreach/telemetry/store'
import type { Device, DeviceRule, Input } from '../devices/device.ts'
import type { PathTest } from '../devices/path-access.ts'
import { inputSources, instancesWithSources } from './device-inputs.ts'
import {
  mergedInputs,
  type StoredInput,
  storedInputs,
  type StoredValue,
  inputsBeforeTime,
} from './stored-inputs.ts'

/** Values and time that a trial may still cost. */
export class TrialBudget {
  isOver = false
  values = 0
  private readonly most: number
  private readonly until: number
  constructor({ values, ms }: { values: number; ms: number }) {
    this.most = values
    this.until = performance.now() + ms
  }

  /** Counts values; false when no more may be read. */
  spend(count: number) {
    this.values += count
    if (this.values > this.most || performance.now() > this.until) this.isOver = true
    return !this.isOver
  }
}

type Tried = {
  telemetry: TelemetryStore
  device: Device
  /** Paths whose past the caller may see. */
  mayRead: PathTest
  /** Times at which the device came and went. */
  connections: readonly { t: number; connected: boolean }[]
  range: { from: number; to: number }
  budget: TrialBudget
  signal: AbortSignal
  /** Saved rules of the device by id, whose alarms may suppress the one that is tried. */
  saved: ReadonlyMap<string, DeviceRule>
  /** The states of the conditions over time are asked for. */
  isTraced?: boolean
}

/** Occurrences of an instance of a rule on the past of a device. */
export type Attempt = {
  instance: string
  occurrences: Occurrence[]
  misses: readonly Miss[]
  /** Paths that have no history here, or none that the caller may see. */
  missing: string[]
  /** Spans of each condition, and when one alone was missing. */
  trace?: ReturnType<TruthTrace['finish']> & { pathOf: (input: number) => string | undefined }
}

/** Tries a rule on the past of a device: the code that judges it later. */
export async function tryRuleOn(tried: Tried, rule: DeviceRule): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  const sources = inputSources(tried.device)
  for (const found of instancesWithSources(rule, sources)) {
    if (tried.budget.isOver) break
    attempts.push(await tryInstance(tried, rule, found))
  }
  return attempts
}

type Found = { instance: string; sources: readonly (Input | undefined)[] }

async function tryInstance(tried: Tried, { compiled }: DeviceRule, found: Found): Promise<Attempt> {
  const { telemetry, range, budget, signal } = tried
  const { inputs, missing } = await readableInputs(tried, compiled, found.sources)
  const misses = new Misses()
  const trace = tried.isTraced === true ? new TruthTrace(range) : undefined
  const run = startReplay(compiled, { misses, ...(trace && { trace }) })
  const before = await inputsBeforeTime(telemetry, inputs, range.from)
  if (before.length > 0) run.take(pageOf(before.toSorted((one, other) => one.t - other.t)))
  const alarms = await alarmsBeside(tried, compiled, found.instance)
  const connections = compiled.inputs.flatMap((one, input): StoredValue[] =>
    one.kind === 'connection' && one.source === 'IOT'
      ? tried.connections.map(({ t, connected }) => ({ t, input, v: connected, q: 0 }))
      : [],
  )
  const beside = [...connections, ...alarms.values].toSorted((one, other) => one.t - other.t)
  const stretch = { since: range.from, to: range.to, beside, signal }
  let read = range.to
  for await (const page of mergedInputs(telemetry, inputs, stretch)) {
    run.take(page)
    if (budget.spend(page.t.length)) continue
    read = page.t[page.t.length - 1] ?? range.from
    break
  }
  const { changes } = run.finish(read)
  const occurrences = occurrencesOf(changes).filter(
    ({ start, end }) => start >= range.from || end === undefined || end > range.from,
  )
  const nearest = misses.nearest.filter(({ t }) => t >= range.from)
  const unread = [...new Set([...missing, ...alarms.missing])]
  return {
    instance: found.instance,
    occurrences,
    misses: nearest,
    missing: unread,
    ...(trace && { trace: { ...trace.finish(read), pathOf: pathIn(found) } }),
  }
}

/** Values of the inputs that are alarms of other rules of the device: these are tried over the same time. */
async function alarmsBeside(
  tried: Tried,
  { inputs }: DeviceRule['compiled'],
  instance: string,
): Promise<{ values: StoredValue[]; missing: string[] }> {
  const values: StoredValue[] = []
  const missing: string[] = []
  for (const [input, one] of inputs.entries()) {
    const other = one.kind === 'alarm' ? tried.saved.get(one.rule) : undefined
    if (!other) continue
    // Rules that suppress each other cannot be saved; one that is tried may not come back to itself.
    const saved = new Map([...tried.saved].filter(([id]) => id !== other.id))
    const attempts = (await tryRuleOn({ ...tried, saved }, other)).filter(
      (attempt) => instance === '' || attempt.instance === '' || attempt.instance === instance,
    )
    missing.push(...attempts.flatMap((attempt) => attempt.missing))
    for (const { t, isOpen } of openTimes(attempts, tried.range.from))
      values.push({ t, input, v: isOpen, q: 0 })
  }
  return { values, missing }
}

/** Times at which the first alarm of some instances begins and the last of them ends, from a time on. */
function openTimes(attempts: readonly Attempt[], from: number) {
  const edges = attempts.flatMap(({ occurrences }) =>
    occurrences.flatMap(({ start, end }) => [
      { t: Math.max(start, from), by: 1 },
      ...(end === undefined ? [] : [{ t: end, by: -1 }]),
    ]),
  )
  let open = 0
  const found = new Map([[from, false]])
  for (const { t, by } of edges.toSorted((one, other) => one.t - other.t || other.by - one.by)) {
    open += by
    found.set(t, open > 0)
  }
  return [...found].map(([t, isOpen]) => ({ t, isOpen }))
}

/** Inputs of an instance that the caller may see, and the paths of the others. */
async function readableInputs(
  { telemetry, device, mayRead }: Tried,
  { inputs: all }: DeviceRule['compiled'],
  sources: Found['sources'],
) {
  const readable = sources.map((source) =>
    source && mayRead(fullPath(source)) ? source : undefined,
  )
  const inputs: StoredInput[] = await storedInputs(telemetry, device, readable)
  const there = new Set(inputs.map(({ input }) => input))
  const missing = all.flatMap((one, input) =>
    'path' in one && one.path !== undefined && !there.has(input) ? [one.path] : [],
  )
  for (const [input, one] of all.entries()) {
    if (one.kind !== 'arrival' || one.path !== undefined) continue
    const any = [...device.byPath.values()].filter(({ leaf }) => mayRead(leaf.path))
    const found = await storedInputs(
      telemetry,
      device,
      any.map((target) => ({ target })),
    )
    inputs.push(...found.map((stored) => ({ ...stored, input })))
  }
  return { inputs, missing }
}

const pathIn =
  ({ sources }: Found) =>
  (input: number) => {
    const source = sources[input]
    return source && fullPath(source)
  }

const fullPath = ({ target, field }: Input) =>
  field === undefined ? target.leaf.path : `${target.leaf.path}/${field}`

const pageOf = (values: readonly StoredValue[]): Page => ({
  t: values.map(({ t }) => t),
  input: values.map(({ input }) => input),
  v: values.map(({ v }) => v),
  q: values.map(({ q }) => q),
})
