import { expect, test } from 'vitest'
import { Rule, ruleLanguages, type RuleLanguage } from './rule.ts'
import { rawRule } from './rule-testing.ts'
import { sentenceIds, sentenceOf, type SentencePart } from './sentence.ts'
import { parseText, type TextPart } from './texts.ts'

/** Sentence as a text, by ids and parameters. */
const textOf = ({ id, params, parts }: SentencePart): string => {
  expect(sentenceIds).toContain(id)
  const given = Object.entries(params).map(([key, value]) => `${key}=${String(value)}`)
  const inside = [...given, ...parts.map(textOf)].join(' ')
  return inside === '' ? id : `${id}(${inside})`
}
const sentence = (given: Record<string, unknown>) =>
  sentenceOf(Rule.parse(rawRule(given)))
    .map(textOf)
    .join(' ')

test('a rule is a sentence of parts, each with its field', () => {
  const rule = {
    when: { path: 'Oven:1/zones[*]/temp', op: '>', forMs: 10_000 },
    levels: [{ severity: 5, value: 230, clear: 225 }],
    onDelayMs: 2_000,
    offDelayMs: 3_000,
    quality: 'alarm',
    unless: { when: { path: 'heater', op: '==', value: false }, offDelayMs: 60_000 },
    schedule: { zone: 'device', times: [{ days: [1, 2], from: '06:00', to: '22:00' }] },
  }
  expect(sentence(rule)).toBe(
    [
      'condition(above(path=Oven:1/zones[*]/temp each=true forMs=10000))',
      'badQuality onDelay(ms=2000)',
      'schedule(zone=device exceptions=0 window(days=1,2 from=06:00 to=22:00))',
      'unless(offDelayMs=60000 equals(path=heater each=false limit=false))',
      'raise(severity=5 limit=230 clear=225) offDelay(ms=3000)',
    ].join(' '),
  )
  expect(sentenceOf(Rule.parse(rawRule(rule))).map(({ place }) => place)).toEqual([
    'when',
    'quality',
    'onDelayMs',
    'schedule',
    'unless',
    'levels.0',
    'offDelayMs',
  ])
})

test.each([
  [
    {
      when: {
        all: [
          { path: 'a', op: 'outside', value: [1, 2], clear: [1.2, 1.8] },
          { not: { formula: 'b + c', op: '!=', value: 'x' } },
        ],
      },
    },
    'condition(all(outside(path=a each=false limitLow=1 limitHigh=2 clearLow=1.2 clearHigh=1.8) not(differs(formula=b + c limit=x)))) raise(severity=3)',
  ],
  [
    {
      when: {
        any: [
          { path: 'a', op: 'changed' },
          { path: 'a', op: 'changed', forMs: 5 },
        ],
      },
    },
    'condition(any(changed(path=a each=false) changedWithin(path=a each=false forMs=5))) raise(severity=3)',
  ],
  [
    { when: { path: 'a', op: '<=', otherPath: 'b' }, unless: { rule: 'r1' } },
    'condition(atMost(path=a each=false otherPath=b)) unlessRule(rule=r1) raise(severity=3)',
  ],
  [
    { kind: 'silence', when: { path: 'a', forMs: 60_000 } },
    'silence(path=a forMs=60000 each=false) raise(severity=3)',
  ],
  [{ kind: 'silence', when: { forMs: 60_000 } }, 'silenceOfDevice(forMs=60000) raise(severity=3)'],
  [{ kind: 'connection', when: {} }, 'disconnected(source=IOT) raise(severity=3)'],
  [
    { kind: 'connection', when: { status: 'ON', source: 'VPN' } },
    'connected(source=VPN) raise(severity=3)',
  ],
])('sentence of %j', (given, expected) => {
  expect(sentence(given)).toBe(expected)
})

test('a text is words and placeholders', () => {
  expect(
    parseText('{{a}} {device}: {value|1} > {limit} ({Oven:1/speed|1}, {Oven:1/door})'),
  ).toEqual([
    { kind: 'words', text: '{a} ' },
    { kind: 'device' },
    { kind: 'words', text: ': ' },
    { kind: 'value', digits: 1 },
    { kind: 'words', text: ' > ' },
    { kind: 'limit' },
    { kind: 'words', text: ' (' },
    { kind: 'path', path: 'Oven:1/speed', digits: 1 },
    { kind: 'words', text: ', ' },
    { kind: 'path', path: 'Oven:1/door' },
    { kind: 'words', text: ')' },
  ])
  expect(parseText('')).toEqual([])
  const open: TextPart[] = [
    { kind: 'words', text: 'a ' },
    { kind: 'unclosed', text: '{value' },
  ]
  expect(parseText('a {value')).toEqual(open)
})

test('texts have five languages', () => {
  const languages: readonly RuleLanguage[] = ['en', 'de', 'es', 'fr', 'it']
  expect(ruleLanguages).toEqual(languages)
})
