import { isTimezone } from '@longreach/calendar/zone-offset'
import { similarTo } from '@longreach/formula/issue'
import { issueAt, type RuleIssue } from './issue.ts'
import type { PathCheck } from './known-paths.ts'
import { ruleLimits } from './limits.ts'
import { ruleLanguages, type Rule, type Schedule } from './rule.ts'
import { parseText, pathsInTexts } from './texts.ts'

const words = ['device', 'value', 'limit']

/** Placeholders of texts that are neither one of the words nor a path of the model. */
export function textIssues(texts: Rule['texts'], paths: PathCheck): RuleIssue[] {
  const named = pathsInTexts(Object.values(texts))
  if (named.length > ruleLimits.placeholders) {
    return [issueAt('texts', 'too_many', { most: ruleLimits.placeholders })]
  }
  return ruleLanguages.flatMap((language) =>
    parseText(texts[language] ?? '').flatMap((part) => {
      const place = `texts.${language}`
      if (part.kind === 'unclosed') return [issueAt(place, 'unclosed_placeholder')]
      return part.kind === 'path' ? placeholderIssues(part.path, place, paths) : []
    }),
  )
}

function placeholderIssues(path: string, place: string, paths: PathCheck): RuleIssue[] {
  const isPath = path !== '' && path.length <= ruleLimits.path && /[/:]/.test(path)
  if (path !== '' && (isPath ? paths.has(path) : paths.isGiven && paths.has(path))) return []
  const nearest = similarTo(path, words) ?? paths.nearest(path)
  return nearest === undefined
    ? [issueAt(place, 'unknown_placeholder', { name: path })]
    : [
        {
          ...issueAt(place, 'unknown_placeholder_similar', { name: path, similar: nearest }),
          nearest,
        },
      ]
}

/** Faults of a schedule: its zone, windows without a day, or without a length. */
export function scheduleIssues({ zone, times }: Schedule): RuleIssue[] {
  const issues: RuleIssue[] = []
  if (zone !== 'device' && !isTimezone(zone)) {
    issues.push(issueAt('schedule.zone', 'unknown_zone', { zone }))
  }
  if (times.length === 0) issues.push(issueAt('schedule.times', 'schedule_no_day'))
  for (const [index, { days, from, to }] of times.entries()) {
    const place = `schedule.times.${index}`
    if (days.length === 0) issues.push(issueAt(`${place}.days`, 'schedule_no_day'))
    if (from === to) issues.push(issueAt(`${place}.to`, 'schedule_empty_window'))
  }
  return issues
}
