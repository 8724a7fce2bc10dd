import type { MessageId, Translate, Values } from '@longreach/ui/use-words'
import { shortPath } from '../../../parts/devices/tags.ts'

export type Moment = {
  id: string
  at: number
  until: number | null
  kind: string
  by: string | null
  /** A comment of the person who reads it. */
  own: boolean
  modelPath: string | null
  data: Record<string, unknown>
}

/** Kinds of moments, in the order of their filters; each takes in the kinds of the server that it names. */
export const momentGroups = {
  comment: ['comment'],
  connection: ['connection'],
  configuration: ['configuration', 'preset'],
  write: ['write'],
  life: ['created', 'moved', 'deleted', 'restored'],
} as const
export type MomentGroup = keyof typeof momentGroups

export const isGroup = (text: string): text is MomentGroup => Object.hasOwn(momentGroups, text)

/** The kinds to ask the server for; undefined for all. */
export const kindsOf = (groups: readonly MomentGroup[]) =>
  groups.length === 0 ? undefined : groups.flatMap((group) => [...momentGroups[group]])

type Told = { word: MessageId; values?: Values }

/** Format of a value, and its name when the model has one. */
type Look = { show: (value: unknown) => string; name?: string }
const plainLook: Look = {
  show: (raw) => (raw === null || raw === undefined ? '—' : JSON.stringify(raw)),
}

/** Text that describes a moment. */
export function momentText(moment: Moment, t: Translate, look: Look = plainLook): string {
  const { word, values } = (tellers[moment.kind] ?? other)(moment, look)
  return t(word, values)
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

const tellers: Record<string, (moment: Moment, look: Look) => Told> = {
  connection: ({ data }) =>
    data['connected'] === true
      ? { word: 'device-page.moment.came', values: { ip: text(data['ip']) || '—' } }
      : { word: 'device-page.moment.went' },
  configuration: ({ data }) => ({
    word: configurationWords[text(data['state'])] ?? 'device-page.moment.configSent',
    values: { version: Number(data['version'] ?? 0), error: text(data['error']) },
  }),
  preset: ({ data }) => {
    const [from, to] = [text(data['from']), text(data['to'])]
    if (to === '') return { word: 'device-page.moment.presetGone', values: { from } }
    if (from === '') return { word: 'device-page.moment.preset', values: { to } }
    return { word: 'device-page.moment.presetChanged', values: { from, to } }
  },
  write: ({ data, modelPath }, { show, name }) => ({
    word: 'device-page.moment.write',
    values: {
      name: name ?? shortPath(modelPath ?? ''),
      from: show(data['from']),
      to: show(data['to']),
    },
  }),
  moved: ({ data }) => ({
    word: 'device-page.moment.moved',
    values: { from: text(data['from']), to: text(data['to']) },
  }),
  created: () => ({ word: 'device-page.moment.created' }),
  deleted: () => ({ word: 'device-page.moment.deleted' }),
  restored: () => ({ word: 'device-page.moment.restored' }),
}

const configurationWords: Record<string, MessageId> = {
  sent: 'device-page.moment.configSent',
  applied: 'device-page.moment.configApplied',
  error: 'device-page.moment.configError',
}

const other = ({ kind }: Moment): Told => ({ word: 'device-page.moment.other', values: { kind } })

/** Tone of a moment: good, bad, or undefined for neither. */
export function toneOf({ kind, data }: Moment): 'ok' | 'alarm' | undefined {
  if (kind === 'connection') return data['connected'] === true ? 'ok' : 'alarm'
  if (kind !== 'configuration') return undefined
  if (data['state'] === 'error') return 'alarm'
  return data['state'] === 'applied' ? 'ok' : undefined
}

/** Moments by the day that they fall on in the zone, in their order. */
export function byDay<T extends { at: number }>(moments: readonly T[], zone: string) {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
  return [...Map.groupBy(moments, ({ at }) => format.format(at))]
}
