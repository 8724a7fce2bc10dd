import { createHash } from 'node:crypto'
import { type Ask } from '../e2e/src/asking.ts'
import type { ForeignIds } from '../e2e/src/canary-tree.ts'
import { addressOf, bodyOf, type Question } from '../e2e/src/every-question.ts'

/** Answer of a server: its status, and its body as JSON, or as text. */
export type Answer = { status: number; body: unknown }
/** Answers of all calls that only read, by person and call. */
export type Answers = ReadonlyMap<string, Answer>

type Asking = { who: string; ask: Ask; org: string; ids: ForeignIds; until: string }

/** Makes each call that only reads as one person; values are those before `until`. */
export async function answersOf(questions: readonly Question[], asking: Asking): Promise<Answers> {
  const { who, ask, org, ids, until } = asking
  const answers = new Map<string, Answer>()
  const known = { ...ids, to: until, since: '2020-01-01T00:00:00.000Z', timestamp: until }
  // Unknown import tokens are counted: the third round would be refused.
  const repeatable = questions.filter(
    ({ asked }) => !asked.some(({ name }) => /token$/i.test(name)),
  )
  for (const question of repeatable) {
    for (const filtered of [false, true]) {
      const path = addressOf(question, { org, ids: known, filtered })
      const body = bodyOf(question, known, [org])
      const { status, text } = await ask(
        question.method,
        path,
        question.method === 'GET' ? undefined : body,
      )
      answers.set(`${who} ${question.method} ${path}`, { status, body: parsed(text) })
    }
  }
  return answers
}

type Device = { deviceId: string }

/** Number of values of each device of the organization, with the hash of all of them. */
export async function valuesOf({ who, ask, org, until }: Asking): Promise<Answers> {
  const answers = new Map<string, Answer>()
  const list = await ask('GET', `mappings/api/v1/devices?organization=${org}&pageSize=500`)
  const { data } = list.json<{ data: Device[] }>()
  const query = new URLSearchParams({
    modelPath: '**',
    since: '2020-01-01T00:00:00.000Z',
    to: until,
    limit: '100000',
  })
  for (const { deviceId } of data) {
    const path = `platform/api/v1/organizations/${org}/devices/${deviceId}/tags`
    const { status, text, json } = await ask('GET', `${path}?${query}`)
    const series = json<{ data: unknown[] }[]>()
    const values = series.reduce((sum, one) => sum + one.data.length, 0)
    const hash = createHash('sha256').update(text).digest('hex')
    answers.set(`${who} GET ${path}?all`, { status, body: { series: series.length, values, hash } })
  }
  return answers
}

/** Differences that an upgrade is meant to make, or that this check itself makes, by call and place. */
const meant: readonly RegExp[] = [
  /\.message$/, // texts for people, beside a code that stays
  /^GET platform\/\S+\/agent \.body\.available\.version$/, // the agent that the later version brings
  /^GET platform\/api\/v1\/jobs \.body/, // the job that is under way
  /^GET platform\/\S+\/overview \.body\.lost\b/, // machines of the demo that are away for a while by now
]
export const isMeant = (key: string) => meant.some((pattern) => pattern.test(key))

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text // a file, or an empty answer
  }
}

type Difference = { call: string; place: string; before: unknown; after: unknown }

/**
 * Differences between two rounds of answers. `place` is the path of a field, where rows of a list are
 * all alike: `content[].name`.
 */
export const differences = (before: Answers, after: Answers): Difference[] =>
  [...before].flatMap(([call, answer]) => {
    const fields = flat(answer)
    const others = flat(after.get(call))
    const places = new Set([...fields.keys(), ...others.keys()])
    return [...places]
      .filter((place) => fields.get(place) !== others.get(place))
      .map((place) => ({
        call,
        place: place.replaceAll(/\[\d+\]/g, '[]'),
        before: fields.get(place),
        after: others.get(place),
      }))
  })

/** Fields that differ although nothing was upgraded: times of the last sign-in, and so on. */
export const changing = (found: readonly Difference[]) =>
  new Set(found.map(({ call, place }) => keyOf({ call, place })))

/** Kind of a difference: the call without its person and its query, and the field. */
export const keyOf = ({ call, place }: Pick<Difference, 'call' | 'place'>) =>
  `${call.replace(/^\S+ /, '').replace(/\?.*/, '')} ${place}`

function flat(value: unknown, place = '', into = new Map<string, unknown>()) {
  if (value === null || typeof value !== 'object') return into.set(place, value)
  if (Array.isArray(value)) into.set(`${place}.length`, value.length)
  for (const [key, field] of Object.entries(value))
    flat(field, Array.isArray(value) ? `${place}[${key}]` : `${place}.${key}`, into)
  return into
}
