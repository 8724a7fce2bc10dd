import type { RuleIssue } from '@longreach/rules/issue'
import type { Rule } from '@longreach/rules/rule'
import { leavesOf } from '@longreach/rules/rule'
import { parseText } from '@longreach/rules/texts'
import { validateRule } from '@longreach/rules/validate'
import { z } from 'zod'

const mostAlarms = 200
const longestText = 500

const AlarmInput = z.looseObject({
  /** Identity of the alarm at the platform. */
  name: z.string().min(1).max(100),
  kind: z
    .enum(['condition', 'silence'], { error: 'the kind of an alarm is condition or silence' })
    .default('condition'),
  /** Text for people; `{value}`, `{limit}` and `{a tag|1}` are filled in at the gateway. */
  text: z.string().max(longestText).optional(),
  severity: z.int().min(0).max(6).optional(),
})

/** Fields of a rule that an alarm of the agent does not have: the platform alone knows what they are about. */
const withoutMeaning = ['scope', 'deviceGroups', 'ladder', 'group', 'texts', 'lateNotifyMs']

/** Alarm that the agent judges itself; the paths of its rule are names of tags. */
export type AgentAlarm = { name: string; text: string; rule: Rule }

/** Alarms of an agent, judged also while the platform is away. */
export const Alarms = z
  .array(AlarmInput)
  .max(mostAlarms)
  .transform((list, context) => {
    const names = new Set<string>()
    return list.flatMap((given, index): AgentAlarm[] => {
      const faults = names.has(given.name) ? [`there are two alarms named ${given.name}`] : []
      names.add(given.name)
      const read = alarmOf(given)
      if ('faults' in read) faults.push(...read.faults)
      for (const message of faults)
        context.addIssue({ code: 'custom', path: [index], message: `${given.name}: ${message}` })
      return 'alarm' in read ? [read.alarm] : []
    })
  })

function alarmOf({ name, text = name, severity, ...given }: z.output<typeof AlarmInput>) {
  const strange = withoutMeaning.filter((field) => field in given)
  if (strange.length > 0) return { faults: [`the agent knows no ${strange.join(', ')}`] }
  const levels = given['levels'] ?? (severity === undefined ? undefined : [{ severity }])
  const checked = validateRule({ ...given, name, levels, scope: { deviceId: '-' } })
  if (!checked.ok) return { faults: checked.issues.map(textOfIssue) }
  const faults = [...ruleFaults(checked.rule), ...textFaults(text)]
  if (faults.length > 0) return { faults }
  return { alarm: { name, text, rule: { ...checked.rule, texts: { en: text } } } }
}

/** Parts of rules that need the platform. */
function ruleFaults(rule: Rule) {
  const { unless } = rule
  const faults: string[] = []
  if (rule.kind === 'silence' && rule.when.path === undefined)
    faults.push('when.path: name the tag whose values stay away')
  if (unless?.rule !== undefined)
    faults.push('unless names a rule; write its condition as unless.when')
  const leaves = [
    ...(rule.kind === 'condition' ? leavesOf(rule.when, 'when') : []),
    ...(unless?.when ? leavesOf(unless.when, 'unless.when') : []),
  ]
  for (const { leaf, place } of leaves) {
    const named = [leaf.path, leaf.otherPath, leaf.formula]
    if (named.some((path) => path?.includes('[*]')))
      faults.push(`${place}: a tag of the agent has no [*]; write an alarm for each`)
  }
  return faults
}

function textFaults(text: string) {
  const parts = parseText(text)
  if (parts.some(({ kind }) => kind === 'unclosed')) return ['text: a brace is not closed']
  if (parts.some(({ kind }) => kind === 'device'))
    return ['text: the agent does not know the name of the device; the portal shows it anyway']
  return []
}

/** Fault of a rule in words: its place, what is wrong and with what. */
function textOfIssue({ place, code, params }: RuleIssue) {
  const about = Object.entries(params).map(([name, value]) => `${name} ${value}`)
  const more = about.length > 0 ? ` (${about.join(', ')})` : ''
  return `${place === '' ? 'rule' : place}: ${code.replaceAll('_', ' ')}${more}`
}
