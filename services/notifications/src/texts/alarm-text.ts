import { parseText, type TextPart } from '@longreach/rules/texts'
import type { Language } from '../asked-contract.ts'
import type { ToldAlarm } from '../message-contract.ts'

type Shown = {
  language: Language
  /** The reader may not read the path of a value. */
  isHidden: (path: string) => boolean
}

/** Text of an alarm in a language: that of its rule with values, else its description or name. */
export function alarmText(alarm: ToldAlarm, shown: Shown) {
  const { texts } = alarm.longreach
  const text = texts[shown.language] ?? texts['en'] ?? Object.values(texts)[0]
  if (text === undefined || text === '') return alarm.description || alarm.name
  return parseText(text)
    .map((part) => partText(alarm, part, shown))
    .join('')
    .trim()
}

const hidden = '…'

function partText(alarm: ToldAlarm, part: TextPart, shown: Shown) {
  const { words } = alarm.longreach
  switch (part.kind) {
    case 'words':
    case 'unclosed':
      return part.text
    case 'device':
      return alarm.deviceLabel
    case 'path':
      if (shown.isHidden(part.path)) return hidden
      return valueText(words?.values[part.path], shown.language, part.digits)
    default:
      if (alarm.paths?.some(shown.isHidden)) return hidden
      return valueText(words?.[part.kind], shown.language, part.digits)
  }
}

/** Value in a language; a number has at most three decimals unless the text asks for some. */
export function valueText(value: unknown, language: Language, digits?: number): string {
  if (typeof value === 'number') {
    const decimals =
      digits === undefined
        ? { maximumFractionDigits: 3 }
        : { minimumFractionDigits: digits, maximumFractionDigits: digits }
    return new Intl.NumberFormat(language, decimals).format(value)
  }
  if (Array.isArray(value)) return value.map((one) => valueText(one, language, digits)).join(' – ')
  if (typeof value === 'string') return value.slice(0, 500)
  return typeof value === 'boolean' ? String(value) : '–'
}

/** Time with its zone: `Jan 5, 2026, 1:00 PM GMT+1`. */
export function timeText(ms: number, language: Language, zone: string) {
  const { time, zoneName } = formatsOf(language, zone)
  const name = zoneName.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value
  return `${time.format(ms)} ${name ?? zone}`
}

type Formats = { time: Intl.DateTimeFormat; zoneName: Intl.DateTimeFormat }

/** Formats by language and zone: to make one takes longer than all else of a message. There are some hundred zones. */
const knownFormats = new Map<string, Formats>()

function formatsOf(language: Language, timeZone: string) {
  const key = `${language} ${timeZone}`
  const formats = knownFormats.get(key) ?? {
    time: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
    zoneName: new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'short' }),
  }
  knownFormats.set(key, formats)
  return formats
}

/** Length of time in its two largest units: `2 h 5 min`. */
export function durationText(ms: number) {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ]
  const first = parts.findIndex(([n]) => n > 0)
  if (first === -1) return '0 s'
  return parts
    .slice(first, first + 2)
    .filter(([n]) => n > 0)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(' ')
}
