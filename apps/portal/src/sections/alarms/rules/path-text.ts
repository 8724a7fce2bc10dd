import type { Translate } from '@longreach/ui/use-words'

/** Path as people read it: `temperature of each of zones`, or `heater / power` without the model. */
export function pathText(path: string, t: Translate) {
  const steps = path.replace(/^[^/]*:\d+\//, '').split('/')
  const star = steps.findLastIndex((step) => step.endsWith('[*]'))
  if (star < 0) return steps.join(' / ')
  const items = steps
    .slice(0, star + 1)
    .join(' / ')
    .replaceAll('[*]', '')
  const name = steps.slice(star + 1).join(' / ')
  return name === ''
    ? t('alarm-rules.eachItem', { items })
    : t('alarm-rules.eachPath', { name, items })
}
