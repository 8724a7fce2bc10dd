import { rootOf } from '@longreach/kit/contract'
import type { OrgCtx } from '@longreach/kit/service'
import type { Rule } from '@longreach/rules/rule'
import type { z } from 'zod'
import type { SourceValue } from '../occurrences/contract.ts'
import { factsOf, versionKey } from '../occurrences/rule-facts.ts'
import type { StoredWords } from '../occurrences/rule-text.ts'
import type { AlarmRow } from './alarm-select.ts'
import type { Alarm } from './contract.ts'
import { pathTestOf, seesAllValues } from './visible.ts'

/** Alarm on the wire for a caller: values and texts of paths that they may not read are left out. */
export function toAlarm(
  { capability }: Pick<OrgCtx, 'capability'>,
  rules: ReadonlyMap<string, Rule>,
  row: AlarmRow,
): z.input<typeof Alarm> {
  const rule = ruleOf(rules, row)
  const seesAll = seesAllValues(capability, row.groups)
  const enabled = row.enabled ? 'ENABLED' : 'NOT_ENABLED'
  return {
    id: row.id,
    realmId: rootOf(row.org),
    orgResourceId: row.org,
    deviceId: row.device_id,
    deviceLabel: row.label,
    name: row.name,
    description: seesAll ? row.description : '',
    tag: row.tag,
    severity: row.severity,
    status: row.cleared ? 'CLEARED' : row.active ? 'ACTIVE' : 'NOT_ACTIVE',
    ack: demand(row.ack_required),
    reset: demand(row.reset_required),
    enabled,
    alarmEnabled: enabled,
    action: row.action,
    updatedAt: row.updated_t.getTime(),
    eventTimestamp: row.start_t.getTime(),
    ...(row.acked_t && { acknowledgedDate: row.acked_t.getTime() }),
    comment: row.comment,
    platformAction: row.platform_action,
    ...valueFields(seesAll || hasReadablePaths(row) ? row.value : null),
    longreach: ownFacts(capability, rule, row),
  }
}

/** True for an alarm of a rule on some paths: a caller with limits sees it only where they may read all of them. */
export const hasReadablePaths = ({ paths }: Pick<AlarmRow, 'paths'>) =>
  paths !== null && paths.length > 0

const demand = (isRequired: boolean) => (isRequired ? 'REQUIRED' : 'NOT_REQUIRED')

function ruleOf(rules: ReadonlyMap<string, Rule>, row: AlarmRow) {
  const { rule_id: ruleId, rule_version: ruleVersion } = row
  return ruleId === null || ruleVersion === null
    ? undefined
    : rules.get(versionKey({ ruleId, ruleVersion }))
}

/** Field `value_…` of a value, as the existing wire names it. */
export function valueFields(stored: object | null) {
  if (stored === null) return {}
  const { type, value } = stored as SourceValue // written by this service
  return { [`value_${type}`]: value }
}

function ownFacts(
  capability: OrgCtx['capability'],
  rule: Rule | undefined,
  row: AlarmRow,
): z.input<typeof Alarm>['longreach'] {
  return {
    rule: row.rule_id,
    version: row.rule_version,
    instance: row.instance,
    class: row.class,
    maxSeverity: row.max_severity,
    raises: row.raises,
    ...ownTimes(rule, row),
    shelf: row.shelf,
    suppressed: row.suppressed,
    // The alarm of another path is not seen, its name neither.
    firstOut: seesAllValues(capability, row.groups) ? row.first_name : null,
    late: row.late,
    withdrawn: row.withdrawn,
    unconfirmed: row.unconfirmed,
    assignee: row.assignee,
    comments: row.comments,
    ...explained(rule),
    command: row.command,
    path: row.paths?.[0] ?? null,
    words: wordsFor(capability, rule, row),
  }
}

const ownTimes = (rule: Rule | undefined, row: AlarmRow) => {
  const since = row.start_t.getTime()
  const within = row.open && row.acked_t === null ? rule?.respondWithinMs : undefined
  return {
    since,
    returnedAt: row.returned_t?.getTime() ?? null,
    closedAt: row.closed_t?.getTime() ?? null,
    heardAt: row.heard_t.getTime(),
    respondBy: within === undefined ? null : since + within,
  }
}

const unexplained = { cause: '', consequence: '', response: '', link: '' }

/** Words of the rule about its alarm. */
function explained(rule: Rule | undefined) {
  const { cause, consequence, response, link } = rule ?? unexplained
  return { cause, consequence, response, link, texts: ruleTexts(rule) }
}

const ruleTexts = (rule: Rule | undefined) =>
  Object.fromEntries(
    Object.entries(rule?.texts ?? {}).flatMap(([language, text]) =>
      text ? [[language, text]] : [],
    ),
  )

/** Values of a raise without those of paths that the caller may not read. */
function wordsFor(capability: OrgCtx['capability'], rule: Rule | undefined, row: AlarmRow) {
  const seesAll = seesAllValues(capability, row.groups)
  if (row.words === null || !(seesAll || hasReadablePaths(row))) return null
  const { value, limit = null, values } = row.words as StoredWords // written by this service
  if (seesAll) return { value, limit, values }
  const mayRead = pathTestOf(capability, row.groups)
  const facts = rule && factsOf(rule)
  const kept = Object.entries(values).filter(
    ([path]) => facts && mayRead(facts.pathOf(path, row.instance ?? '')),
  )
  return { value, limit, values: Object.fromEntries(kept) }
}
