import { expect, test } from 'vitest'
import { languages } from '../asked-contract.ts'
import { messageKinds, type ToldAlarm } from '../message-contract.ts'
import { durationText } from './alarm-text.ts'
import { type Composed, contentOf } from './content.ts'
import { mailHtml } from './mail-html.ts'
import { plainText } from './plain-text.ts'

const alarm = {
  id: 'a',
  orgResourceId: 'nordwerk',
  deviceId: 'd',
  deviceLabel: 'Oven <7>',
  name: 'Too hot',
  description: '',
  level: 6,
  paths: ['Oven:1/temperature'],
  longreach: {
    since: Date.UTC(2026, 0, 5, 11),
    returnedAt: null,
    respondBy: null,
    consequence: 'Scrap & <b>loss</b>',
    response: '',
    texts: { en: '{device} at {value|1} over {limit}, speed {Oven:1/speed}' },
    words: { value: 231.26, limit: [1, 2], values: { 'Oven:1/speed': 12 } },
  },
} as unknown as ToldAlarm // the fields that texts read
const compose = (more: Partial<Composed> = {}) =>
  contentOf({
    kind: 'alarms',
    facts: { rule: 'Rule', organization: 'Nordwerk', zone: 'Europe/Berlin' },
    severity: 6,
    alarms: [alarm],
    total: 1,
    language: 'en',
    repeated: false,
    origin: 'https://portal.example',
    now: Date.UTC(2026, 0, 5, 12),
    isHidden: () => false,
    ...more,
  })

test('a subject and a body say what, where, since when, and why one gets it, and run no markup (attack 89)', () => {
  const content = compose()
  expect(content.subject).toBe('[Critical] Oven <7>: Oven <7> at 231.3 over 1 – 2, speed 12')
  const text = plainText(content)
  expect(text).toMatch(/Since: Jan 5, 2026, 12:00.*PM GMT\+1/)
  for (const part of [
    'Limit: 1 – 2',
    'https://portal.example/alarms',
    'by the rule “Rule” of Nordwerk',
  ])
    expect(text).toContain(part)
  const html = mailHtml(content)
  expect(html).toContain('Scrap &amp; &lt;b&gt;loss&lt;/b&gt;')
  expect(html).not.toMatch(/<7>|<b>|<img|<script/)
})

test('values of paths that a reader may not read are in no text', () => {
  const hidden = plainText(compose({ isHidden: (_, path) => path === 'Oven:1/temperature' }))
  expect(hidden).toContain('at … over …, speed 12')
  expect(hidden).not.toMatch(/231|Value|Limit/)
  const speed = plainText(compose({ isHidden: (_, path) => path === 'Oven:1/speed' }))
  expect(speed).toContain('at 231.3 over 1 – 2, speed …')
})

test.each(languages.flatMap((language) => messageKinds.map((kind) => [language, kind] as const)))(
  'in %s a message of the kind %s has no empty places',
  (language, kind) => {
    const facts = {
      rule: 'R',
      organization: 'O',
      more: 3,
      minutes: 5,
      schedule: 'S',
      until: 0,
      person: 'P',
      note: 'N',
      noteBy: 'M',
      failed: { recipient: 'X', channel: 'mail', answer: '550' },
    }
    const isAbout = kind === 'alarms' || kind === 'return' || kind === 'escalation'
    for (const total of [1, 30]) {
      const content = compose({
        kind,
        facts,
        language,
        alarms: isAbout ? [alarm] : [],
        total: isAbout ? total : 0,
      })
      const all = `${content.subject}\n${plainText(content)}`
      expect(all).not.toMatch(/[{}]|undefined|NaN/)
      expect(content.subject).not.toMatch(/\s$|: $|\n/)
    }
  },
)

test.each(languages)('in %s a digest says how many alarms are open and over', (language) => {
  const counts = { open: 2, over: 7 }
  const subjects = (['morning', 'other'] as const).map(
    (digest) => compose({ facts: { digest }, counts, language }).subject,
  )
  for (const subject of subjects) expect(subject).toMatch(/^.+: 2 .+, 7 .+$/)
  expect(subjects[0]).not.toBe(subjects[1])
})

test('the way to one alarm opens it, and that to several their list', () => {
  expect(compose().url).toBe('https://portal.example/alarms?alarm=a')
  expect(compose({ alarms: [alarm, alarm], total: 2 }).url).toBe('https://portal.example/alarms')
})

test.each([
  [0, '0 s'],
  [59_400, '59 s'],
  [125_000, '2 min 5 s'],
  [3_600_000, '1 h'],
  [90_061_000, '1 d 1 h'],
])('%i ms are %s', (ms, text) => expect(durationText(ms)).toBe(text))
