import type { ToldAlarm } from '../message-contract.ts'
import { gatesOf } from '../rules/gates.ts'
import type { Step } from './contract.ts'
import type { DecisionAbout, DeliveryTo, RuleAt } from './why-store.ts'

const timeOf = (date: Date | null) => date?.toISOString() ?? ''

/** Steps of an alarm for which no decision is kept: judged by the rule as it was when the alarm came. */
export function stepsWithoutDecision(alarm: ToldAlarm, rule: RuleAt): Step[] {
  const at = alarm.longreach.heardAt
  if (rule.saved_at.getTime() > at) {
    return [{ gate: 'rule', state: 'stopped', saw: `created ${timeOf(rule.saved_at)}` }]
  }
  const judged = gatesOf({ settings: rule.settings, alarm, now: at, waitedMs: 0 })
  const stopped = judged.findIndex(({ passed }) => !passed)
  const met = stopped === -1 ? judged : judged.slice(0, stopped + 1)
  const steps = met.map(({ gate, passed, saw }) => toStep(gate, passed, saw))
  return stopped === -1 ? [...steps, { gate: 'decision', state: 'stopped', saw: '' }] : steps
}

const toStep = (gate: string, passed: boolean, saw: string): Step => ({
  gate,
  state: passed ? 'passed' : 'stopped',
  saw,
})

/** Steps of a decision until its end, and those of the person after it. */
export function stepsOf(
  { settings }: RuleAt,
  decision: DecisionAbout,
  { alarm, deliveries }: { alarm: ToldAlarm; deliveries: readonly DeliveryTo[] },
): Step[] {
  const all = gatesOf({ settings, alarm, now: decision.at.getTime(), waitedMs: 0 })
  const passed = (until?: string): Step[] => {
    const end = until === undefined ? -1 : all.findIndex(({ gate }) => gate === until)
    const before = end === -1 ? all : all.slice(0, end)
    return before.map(({ gate, saw }) => ({ gate, state: 'passed', saw }))
  }
  switch (decision.state) {
    case 'DROPPED':
      return [
        ...passed(decision.gate),
        { gate: decision.gate, state: 'stopped', saw: decision.detail },
      ]
    case 'WAITING': {
      const gate = decision.gate || 'decision'
      return [...passed(gate), { gate, state: 'waits', saw: timeOf(decision.due_at) }]
    }
    case 'GROUPED': {
      const gate = settings.longreach.digest ? 'digest' : 'burst'
      return [...passed(), { gate, state: 'waits', saw: timeOf(decision.bundle_due_at) }]
    }
    case 'TOLD':
      return [...passed(), burstOf(decision), ...deliverySteps(deliveries)]
  }
}

const burstOf = ({ total, told_at: toldAt }: DecisionAbout): Step => ({
  gate: 'burst',
  state: 'passed',
  saw: `${total ?? 1} at ${timeOf(toldAt)}`,
})

/** Steps behind the message: is the person a recipient, and what became of each channel? */
function deliverySteps(deliveries: readonly DeliveryTo[]): Step[] {
  if (deliveries.length === 0) return [{ gate: 'recipient', state: 'stopped', saw: '' }]
  return deliveries.map((delivery): Step => {
    const { channel, gate, state, answer, updated_at: at } = delivery
    if (state === 'DROPPED') return { gate, state: 'stopped', saw: channel }
    const saw = `${channel} ${state} ${timeOf(at)} ${answer}`.trim().slice(0, 500)
    if (state === 'SENT') return { gate: 'delivery', state: 'passed', saw }
    return { gate: 'delivery', state: state === 'FAILED' ? 'stopped' : 'waits', saw }
  })
}
