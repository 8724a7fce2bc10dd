import type { GateName } from '../gate-names.ts'
import type { ToldAlarm } from '../message-contract.ts'
import { gatesOf } from '../rules/gates.ts'
import type { Step } from './contract.ts'
import type { DecisionAbout, DeliveryTo, RuleAt } from './why-store.ts'

type Settings = RuleAt['settings']
type Values = Step['values']

const timeOf = (date: Date | null) => date?.toISOString() ?? ''
const atOf = (date: Date | null): Values => (date ? { at: date.getTime() } : {})

/** Step of a gate; that of a stored row is a name that was written by this service. */
const step = (gate: GateName, state: Step['state'], saw: string, values: Values = {}): Step => ({
  gate,
  state,
  saw,
  values,
})

/** Values of the gates of a rule, for sentences. */
function valuesOf(gate: string, { settings, alarm, at }: Judged): Values {
  const values: Record<string, Values> = {
    severity: { severity: alarm.level, minimum: settings.minimumSeverity },
    name: { name: alarm.name, wanted: settings.nameFilters.join(', ') },
    group: { wanted: settings.deviceGroupFilters.length },
    expression: { wanted: settings.extraFilters.filter((one) => one.trim() !== '').join('; ') },
    ...(alarm.shelf && { shelf: { person: alarm.shelf.by, at: alarm.shelf.until } }),
    ack: { minutes: settings.ackTime },
    day: { at, zone: settings.longreach.zone },
  }
  return values[gate] ?? {}
}

type Judged = { settings: Settings; alarm: ToldAlarm; at: number }

const gateStep = (judged: Judged, { gate, passed, saw }: Gate): Step =>
  step(gate, passed ? 'passed' : 'stopped', saw, valuesOf(gate, judged))
type Gate = ReturnType<typeof gatesOf>[number]

/** Steps of an alarm for which no decision is kept: judged by the rule as it was when the alarm came. */
export function stepsWithoutDecision(alarm: ToldAlarm, rule: RuleAt): Step[] {
  const at = alarm.longreach.heardAt
  if (rule.saved_at.getTime() > at) {
    return [step('created', 'stopped', timeOf(rule.saved_at), atOf(rule.saved_at))]
  }
  const { settings } = rule
  const judged = gatesOf({ settings, alarm, now: at, waitedMs: 0 })
  const stopped = judged.findIndex(({ passed }) => !passed)
  const met = stopped === -1 ? judged : judged.slice(0, stopped + 1)
  const steps = met.map((gate) => gateStep({ settings, alarm, at }, gate))
  return stopped === -1 ? [...steps, step('decision', 'stopped', '')] : steps
}

type About = { alarm: ToldAlarm; deliveries: readonly DeliveryTo[] }

/** Steps of a decision until its end, and those of the person after it. */
export function stepsOf(
  { settings }: RuleAt,
  decision: DecisionAbout,
  { alarm, deliveries }: About,
): Step[] {
  const at = decision.at.getTime()
  const judged = { settings, alarm, at }
  const all = gatesOf({ settings, alarm, now: at, waitedMs: 0 })
  const passed = (until?: string): Step[] => {
    const end = until === undefined ? -1 : all.findIndex(({ gate }) => gate === until)
    const before = end === -1 ? all : all.slice(0, end)
    return before.map((gate) => ({ ...gateStep(judged, gate), state: 'passed' }))
  }
  switch (decision.state) {
    case 'DROPPED': {
      const { detail } = decision
      const gate = decision.gate as GateName // as `judging.ts` wrote it
      const values = { ...valuesOf(gate, judged), ...dayOf(gate, detail) }
      return [...passed(gate), step(gate, 'stopped', detail, values)]
    }
    case 'WAITING': {
      const gate = (decision.gate || 'decision') as GateName // the same
      const values = { ...valuesOf(gate, judged), ...atOf(decision.due_at) }
      return [...passed(gate), step(gate, 'waits', timeOf(decision.due_at), values)]
    }
    case 'GROUPED': {
      const gate = settings.longreach.digest ? 'digest' : 'burst'
      const { bundle_due_at: due } = decision
      return [...passed(), step(gate, 'waits', timeOf(due), atOf(due))]
    }
    case 'TOLD':
      return [...passed(), burstOf(settings, decision), ...deliverySteps(deliveries)]
  }
}

/** Time at which a rule had no hours for messages, as its decision keeps it. */
function dayOf(gate: string, detail: string): Values {
  const at = gate === 'day' ? Date.parse(detail) : Number.NaN
  return Number.isNaN(at) ? {} : { at }
}

function burstOf({ longreach: { digest } }: Settings, decision: DecisionAbout): Step {
  const { total, told_at: toldAt } = decision
  const count = total ?? 1
  const gate = digest && decision.severity < 6 ? 'digest' : 'burst'
  return step(gate, 'passed', `${count} at ${timeOf(toldAt)}`, { count, ...atOf(toldAt) })
}

/** Steps behind the message: is the person a recipient, and what became of each channel? */
function deliverySteps(deliveries: readonly DeliveryTo[]): Step[] {
  if (deliveries.length === 0) return [step('recipient', 'stopped', '')]
  return deliveries.map((delivery): Step => {
    const { channel, gate, state, answer, updated_at: at, attempt } = delivery
    // A gate of the audience, or of an attempt.
    if (state === 'DROPPED') return step(gate as GateName, 'stopped', channel, { channel })
    const saw = `${channel} ${state} ${timeOf(at)} ${answer}`.trim().slice(0, 500)
    const values = { channel, state, attempt, answer: answer.slice(0, 300), ...atOf(at) }
    if (state === 'SENT') return step('delivery', 'passed', saw, values)
    if (state === 'FAILED') return step('delivery', 'stopped', saw, values)
    return step('delivery', 'waits', saw, { ...values, ...atOf(delivery.next_at) })
  })
}
