import { byHand, type Firing } from '../firing-contract.ts'

const texts: Record<string, string> = {
  fired: 'Fired',
  one_short: 'One condition was missing',
  delay_broken: 'It did not hold for its time',
  throttled: 'Fired, but its actions had just run for this device',
  not_today: 'Fired, but its actions do not run on this day',
  no_action: 'Fired, but no action is enabled',
  late: 'The value is older than an hour; nothing was done',
  blocked: 'Fired, but its actions are switched off',
}

const handTexts: Record<string, string> = {
  throttled: 'Its actions had just run for this device when it was run by hand',
  not_today: 'Its actions do not run on this day, although it was run by hand',
  no_action: 'No action is enabled, although it was run by hand',
  blocked: 'Its actions are switched off, although it was run by hand',
}

/** Run in words: what happened, and the values of what fired. */
export function runText(reason: string, { inputs, instance }: Firing) {
  if (instance.startsWith(byHand)) {
    return `${handTexts[reason] ?? 'Run by hand'} by ${instance.slice(byHand.length)}.`
  }
  const causes = inputs.filter(({ isCause }) => isCause)
  const shown = (causes.length > 0 ? causes : inputs).slice(0, 3)
  const values = shown.map(({ path, value }) => `${path} = ${String(value).slice(0, 100)}`)
  return `${texts[reason] ?? reason}: ${values.join(', ')}.`
}

/** Place of the last row of a page, as clients send it back. */
export const toNext = ({ at, id }: { at: Date; id: string }) =>
  Buffer.from(`${at.getTime()} ${id}`).toString('base64url')

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Place that a page begins after; undefined for a text that is none. */
export function readNext(next: string) {
  const [at = '', id = '', ...more] = Buffer.from(next, 'base64url').toString().split(' ')
  const isGood = /^\d{1,15}$/.test(at) && uuid.test(id) && more.length === 0
  return isGood ? { at: Number(at), id } : undefined
}
