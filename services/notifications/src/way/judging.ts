import { randomUUID } from 'node:crypto'
import type { DecisionRow, NotificationRow } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import type { GateName, RuleGate } from '../gate-names.ts'
import type { ToldAlarm } from '../message-contract.ts'
import { pulseNotification } from '../pulse-rule.ts'
import type { NotificationSettings } from '../rules/contract.ts'
import { notificationsById } from '../rules/rule-store.ts'
import {
  bundleDecision,
  changeDecision,
  claimDecisions,
  earlierDecisions,
  forgetDecision,
} from './decision-store.ts'
import { nextDigest } from './digest.ts'
import { gatesOf } from '../rules/gates.ts'
import { readAlarm } from '../read-alarm.ts'

type Deps = Pick<NotificationsDeps, 'db' | 'clients' | 'now' | 'log'>

/** Alarms that are read at a time. */
const readAtOnce = 8
/** Milliseconds in which alarms that are not severe come together. */
const gatherMs = 10_000
/** Severity from which the first message goes at once. */
const urgent = 5

/** Judge some of the decisions that are due, the oldest first. True if there were any. */
export async function judgeDue(deps: Deps) {
  const decisions = await claimDecisions(deps.db, deps.now())
  if (decisions.length > 0) await judgeSome(deps, decisions)
  return decisions.length > 0
}

async function judgeSome(deps: Deps, decisions: readonly DecisionRow[]) {
  const rules = await notificationsById(deps.db, [
    ...new Set(decisions.map(({ notification_id: id }) => id)),
  ])
  const ruleOf = new Map(rules.map((rule) => [rule.id, rule]))
  const byAlarm = [...Map.groupBy(decisions, ({ alarm_id: id }) => id)]
  await inTurn(byAlarm, readAtOnce, async ([alarmId, some]) => {
    const alarm = await readAlarm(deps, alarmId)
    // In the order in which they came.
    for (const decision of some) {
      await judgeOne(deps, decision, { alarm, rule: ruleOf.get(decision.notification_id) })
    }
  })
}

/** Do work for all items, some at a time; a failure is thrown when all are done. */
async function inTurn<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>) {
  for (let at = 0; at < items.length; at += atOnce) {
    const results = await Promise.allSettled(items.slice(at, at + atOnce).map(work))
    const failed = results.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }
}

type Known = { alarm: ToldAlarm | undefined; rule: NotificationRow | undefined }

async function judgeOne(deps: Deps, decision: DecisionRow, { alarm, rule }: Known) {
  const { db } = deps
  const drop = (gate: GateName, detail = '', facts = {}) =>
    changeDecision(db, decision, { ...facts, state: 'DROPPED', gate, detail, due_at: null })
  if (!rule || rule.deleted_at) return drop('rule')
  if (!alarm) return drop('gone')
  const now = deps.now()
  const { settings } = rule
  const waitedMs = now.getTime() - decision.at.getTime()
  const facts = factsOf(alarm, decision)
  if (decision.kind === 'returned') return judgeReturn(deps, decision, { rule, facts })
  if (isAnnouncement(decision) && alarm.status !== 'ACTIVE') return drop('over', '', facts)
  const stopped = gatesOf({ settings, alarm, now: now.getTime(), waitedMs }).find(
    ({ passed }) => !passed,
  )
  if (stopped && isOther(stopped.gate)) return forgetDecision(db, decision)
  if (stopped) return drop(stopped.gate, stopped.saw, facts)
  const ackMs = settings.ackTime * 60_000
  if (waitedMs < ackMs) {
    const dueAt = new Date(decision.at.getTime() + ackMs)
    return changeDecision(db, decision, { ...facts, gate: 'ack', due_at: dueAt })
  }
  if (await isTold(deps, decision, facts.severity)) return drop('told', '', facts)
  return bundle(deps, { ...decision, ...facts }, { settings, key: keyOf(rule, alarm) })
}

/** An alarm that was hidden is told when it is shown again, if it is still active. */
const isAnnouncement = ({ kind }: DecisionRow) => kind === 'unshelved' || kind === 'shown'

/** The rule is about other alarms: its decision is not kept. */
const isOther = (gate: RuleGate) =>
  gate === 'severity' || gate === 'name' || gate === 'group' || gate === 'expression'

/** A change of severity is told only when it is worse than what was told. */
async function isTold({ db }: Deps, decision: DecisionRow, severity: number) {
  if (decision.kind !== 'severity' && decision.kind !== 'ladder') return false
  const earlier = await earlierDecisions(db, decision)
  return earlier.some((one) => one.state !== 'DROPPED' && one.severity >= severity)
}

type Return = { rule: NotificationRow; facts: object }

/** Milliseconds after which a return is looked at again while its alarm has not been told yet. */
const againMs = 10_000

async function judgeReturn(deps: Deps, decision: DecisionRow, { rule, facts }: Return) {
  const earlier = await earlierDecisions(deps.db, decision)
  const told = earlier.filter(({ kind }) => kind !== 'returned')
  if (told.some(({ state }) => state === 'TOLD')) {
    const key = `${decision.alarm_org}/returned`
    return bundle(deps, { ...decision, ...facts }, { settings: rule.settings, key })
  }
  const waits = told.some(({ state }) => state === 'WAITING' || state === 'GROUPED')
  const dueAt = new Date(deps.now().getTime() + againMs)
  return waits
    ? changeDecision(deps.db, decision, { ...facts, gate: 'not_told', due_at: dueAt })
    : changeDecision(deps.db, decision, {
        ...facts,
        state: 'DROPPED',
        gate: 'not_told',
        due_at: null,
      })
}

/** Key of the alarms that make one message of a rule. */
function keyOf({ id, settings }: NotificationRow, alarm: ToldAlarm) {
  const { group } = settings.longreach
  // Beats that join in one message would come every five minutes.
  if (id === pulseNotification) return alarm.id
  if (group === 'device') return alarm.deviceId
  return group === 'class' ? `${alarm.orgResourceId}/${alarm.longreach.class}` : alarm.orgResourceId
}

type Bundled = { settings: NotificationSettings; key: string }

async function bundle({ db, now }: Deps, decision: DecisionRow, { settings, key }: Bundled) {
  const at = now()
  const { digest, zone } = settings.longreach
  const waits = decision.severity < urgent ? gatherMs : 0
  const dueAt =
    digest && decision.severity < 6 ? nextDigest(digest, zone, at) : new Date(at.getTime() + waits)
  await db
    .transaction()
    .execute((tx) => bundleDecision(tx, decision, { key, dueAt, id: randomUUID(), now: at }))
}

/** Facts of the alarm that a decision keeps. */
const factsOf = (alarm: NonNullable<Known['alarm']>, { kind, severity }: DecisionRow) => ({
  groups: alarm.groups,
  label: `${alarm.deviceLabel}: ${alarm.name}`.slice(0, 500),
  alarm_org: alarm.orgResourceId,
  severity: kind === 'returned' ? severity : alarm.level,
})
