import mustache from 'mustache'
import type { Content } from '../texts/content.ts'

/** Form of the text that a template writes, by which values are escaped. */
export type Target = 'json' | 'markdown' | 'slack' | 'plain'

const longestTemplate = 20_000
const longestText = 64_000

/** Fault of a template with its line, counted from 1. */
type TemplateFault = { line: number; message: string }

const backslashed = (text: string) => text.replace(/[\\`*_{}[\]()#+\-.!|<>~]/g, '\\$&')
const slackEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const escapes: Record<Target, (text: string) => string> = {
  json: (text) => JSON.stringify(text).slice(1, -1),
  markdown: backslashed,
  slack: (text) => text.replace(/[&<>]/g, (character) => slackEntities[character] ?? ''),
  plain: (text) => text,
}

/** Text in which no character of a value has a meaning in the target. */
export const escapeFor = (target: Target, text: string) => escapes[target](text)

/** Fields that a template may name: those of the message, and those inside of a section. */
type Form = {
  fields: readonly string[]
  section: string
  inside: readonly string[]
  /** Content whose values contain what breaks a text that is not escaped. */
  hostile: object
}

/** Fields of a message and of each of its alarms. */
const fields = ['kind', 'subject', 'total', 'severity', 'lead', 'url', 'why', 'repeated']
const alarmFields = [
  'id',
  'device',
  'deviceId',
  'organization',
  'name',
  'text',
  'severity',
  'severityNumber',
  'since',
  'sinceMs',
  'overSince',
  'value',
  'limit',
  'consequence',
  'response',
  'respondBy',
]

class TooLong extends Error {}

/** Text of a template; longer than 64 kB is an error. */
export function renderTemplate(template: string, content: object, target: Target) {
  let length = 0
  const escape = (value: unknown) => {
    const text = escapes[target](String(value))
    length += text.length
    if (length > longestText) throw new TooLong('the text is longer than 64 kB')
    return text
  }
  // A writer of its own: the common one keeps every template in memory.
  const text = new mustache.Writer().render(template, content, {}, { escape })
  if (text.length > longestText) throw new TooLong('the text is longer than 64 kB')
  return text
}

/** First fault of a template; undefined when it is good. */
export function templateFault(
  template: string,
  target: Target,
  form: Form = alarmForm,
): TemplateFault | undefined {
  if (template.length > longestTemplate) {
    return { line: 1, message: 'is longer than 20,000 characters' }
  }
  try {
    const tokens = new mustache.Writer().parse(template) as Token[] // its tokens are lists
    const fault = tokensFault(tokens, { template, form }, [])
    if (fault) return fault
    const text = renderTemplate(template, form.hostile, target)
    if (target === 'json') JSON.parse(text)
    return undefined
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof SyntaxError) return { line: 1, message: `does not write JSON: ${message}` }
    const [, at] = /at (\d+)$/.exec(message) ?? []
    return { line: lineAt(template, Number(at ?? 0)), message }
  }
}

/** Kind, name, begin, end, and what a section contains. */
type Token = [string, string, number, number, Token[]?, number?]

function tokensFault(
  tokens: Token[],
  of: { template: string; form: Form },
  sections: string[],
): TemplateFault | undefined {
  const { template, form } = of
  for (const [kind, name, at, , inside] of tokens) {
    const fault = (message: string) => ({ line: lineAt(template, at), message })
    if (kind === '&') return fault(`{{{${name}}}} is not escaped; write {{${name}}}`)
    if (kind === '>') return fault(`there is no other template ${name}`)
    if (kind === 'name' || kind === '#' || kind === '^') {
      if (!isKnownField(name, form, sections)) return fault(`there is no field ${name}`)
      if (name === form.section && sections.includes(name)) {
        return fault(`${name} contains no ${name}`)
      }
    }
    const deeper = inside && tokensFault(inside, of, [...sections, name])
    if (deeper) return deeper
  }
  return undefined
}

function isKnownField(name: string, form: Form, sections: readonly string[]) {
  if (name === '.' || name === form.section || form.fields.includes(name)) return true
  return sections.includes(form.section) && form.inside.includes(name)
}

const lineAt = (template: string, at: number) => template.slice(0, at).split('\n').length

const hostile = '"\\\n\t{}</b>&`*_'
/** Content whose values contain what breaks a form that is not escaped. */
const hostileContent: Content = {
  kind: 'alarms',
  language: 'en',
  subject: hostile,
  alarms: [
    {
      ...(Object.fromEntries(alarmFields.map((name) => [name, hostile])) as Record<
        Exclude<keyof Content['alarms'][number], 'severityNumber' | 'sinceMs'>,
        string
      >), // each of the fields
      severityNumber: 5,
      sinceMs: 1_700_000_000_000,
    },
  ],
  total: 1,
  severity: 5,
  lead: hostile,
  url: 'https://portal.example.org/alarms',
  open: hostile,
  why: hostile,
  repeated: hostile,
}

const alarmForm: Form = { fields, section: 'alarms', inside: alarmFields, hostile: hostileContent }

const runFields = ['run', 'trigger', 'triggerId', 'device', 'deviceId', 'organization']
const valueFields = ['path', 'value']

/** Fields of a run of a trigger; `inputs` are the values that its policy looks at. */
export const runForm: Form = {
  fields: [...runFields, ...valueFields, 'time', 'timeMs', 'url', 'subject'],
  section: 'inputs',
  inside: valueFields,
  hostile: {
    ...Object.fromEntries(
      [...runFields, ...valueFields, 'time', 'url', 'subject'].map((name) => [name, hostile]),
    ),
    timeMs: 1_700_000_000_000,
    inputs: [{ path: hostile, value: hostile }],
  },
}
