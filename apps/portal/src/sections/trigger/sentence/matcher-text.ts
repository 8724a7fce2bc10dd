import type { Translate } from '@longreach/ui/use-words'

/** Pattern of model paths as people read it: `temperature of each of zones`, `heater / power`, `any data point`. */
export function matcherText(matcher: string, t: Translate) {
  const steps = matcher.replace(/^[^/]*:(?:\d+|\*)\//, '').split('/')
  if (steps.every((step) => step === '**')) return t('trigger.anyPath')
  const last = steps.at(-1)
  if (last === '**') {
    return t('trigger.anyWithin', { items: stepsText(steps.slice(0, -1)) })
  }
  const star = steps.findLastIndex((step) => step.endsWith('[*]'))
  if (star < 0) return stepsText(steps)
  const items = stepsText(steps.slice(0, star + 1))
  const name = stepsText(steps.slice(star + 1))
  return name === '' ? t('trigger.eachItem', { items }) : t('trigger.eachPath', { name, items })
}

const stepsText = (steps: readonly string[]) => steps.join(' / ').replaceAll('[*]', '')
